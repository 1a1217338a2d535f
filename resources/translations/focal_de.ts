<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
  <context>
    <name>focal</name>
    <message>
      <source>  (new: {0})</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source> (+{0})</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source> among {0} of {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source> or </source>
      <translation type="unfinished" />
    </message>
    <message numerus="yes">
      <source>%n photos</source>
      <translation type="unfinished">
        <numerusform />
        <numerusform />
      </translation>
    </message>
    <message>
      <source>&amp;About Focal</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Add tags</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Back</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Backups…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Clear the mark</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Compare side by side</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Edit</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;File</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Filter</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Forward</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Full screen</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Go</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Grid in folder order</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Heat map of what matters</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Help</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Keys</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Label</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Larger</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Learn</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Look for changes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Matching patches</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Metrics</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Missing photos…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Next photo</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Not similar to the focal image</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Open a folder of photos…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Order before the training (hold)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Previous photo</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Quit</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Redo</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Repeat the last tagging</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Rescue what is sound, and fill the gaps from the newest backup</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Retrain</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Save the library as an archive…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Settings…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Similar to the focal image</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Single photo</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Suggest tags</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Tags</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Theme</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Undo</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;View</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Watch the folders for changes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>, no to {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>, usually {0:.3f}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>0 to 1</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>0 to 255</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>1 change waits</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>1 folder polled</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>1 judgement</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>1 photo has no file any more; it keeps all that hangs on it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>1 problem…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>; held-out judgements right: {0:.0f} % (n = {1})</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A double click or Enter walks on. Alt+Left goes back, G returns to the folders.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A folder, best on another drive, that every backup is copied to as well; none. A drive that is away is no error.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A new kind?</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A number, or three for R, G and B: 123.7, 116.3, 103.5</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A photo that takes more seconds is given up.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A star marks keys that you have chosen.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A tag cannot be merged into itself: name another one.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A&amp;ccept the suggestion</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>About Focal</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Accept all</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Accept the selected</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Accepting</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Add</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Add a network</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Add network…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Add tags</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Add tags: beach, animal/dog</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Adding the network</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>All</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>All as they come</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>All kinds together (Shift+H: the next kind)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>All of it, squeezed</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>All patches</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>All photos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>All photos on a plane, like beside like (Ctrl+Shift+M)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>All {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>An empty folder for the new library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Another language counts when the window is opened again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Any ONNX file that takes one image</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Any two photos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Apply</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Archives (*.zip)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Are suggestions as sure as they say?</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>As it comes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>As the system</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ask me ne&amp;xt</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ask me next</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>At points of the photo</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Back &amp;out</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Back (Alt+Left)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Back to the default: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Back to the former metric</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Backing up the library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Backups</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Blue</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Both ways</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Browse</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Camera</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Cancel</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Changed in Focal and in a sidecar</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Changed on both sides: choose what counts</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Changed on both sides: choose what counts ({0} stay as they are)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Changing the metric</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Changing the settings</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Channels</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose a focal image in Browse: it is ranked here by two metrics.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose a network</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose what to learn</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Choose…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Chosen by you</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Click</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Click a photo and all others are ranked by it.
Say what is alike, and the ranking learns.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Click a photo first: it becomes the focal image of both rankings.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Close</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Close the message</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Colour</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Colour and texture as they are; nothing learned</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Colours</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Comes into Focal</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Compare</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Compare the two</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Compare with the next photo too (Shift+Space)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Compare without this photo (Shift+Backspace)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Comparing</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Comparing neighbourhoods</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Comparing photos with the XMP files beside them.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Comparing tags</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Comparing the folders</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Comparing the patches…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Comparing was stopped.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Comparing with sidecars</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Comparing with the library…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Comparing…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Contradictions</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy the list</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ctrl+Click</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ctrl+Wheel</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Dark</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Delete</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Delete a tag</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Delete the tag</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Delete…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Deleting a search</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Deleting a tag</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Deleting the metric</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Describing photos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Descriptor</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Descriptors</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Descriptors that are switched on</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Direction</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Done in {1:.0f} s: {0} photos were described.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Done: all photos have what is switched on.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Double click</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Drag to move, wheel to zoom, Shift and drag to surround photos. Enter or a double-click walks.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>E&amp;xchange tags with sidecars…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Each way of learning in the history is tried on what it was not taught: photos and judgements are left out in three folds, and everything is learned without them. It takes seconds to minutes.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Every metric that was learned stays here; those with a name of yours are lenses: choose one beside Retrain, and the same photos are seen by it. Held out says how many are right among the first ten when a part of what was taught is left out, and the gain over Euclidean distance with its 95 % limits.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Every photo has a tag. Esc goes back to the photos.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Every photo shown here has a tag.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Exchange</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Exchange tags with sidecars</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Exchanging with sidecars</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Exposure</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>File</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Files that could not be &amp;read…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Files that could not be read</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Files with more megabytes (of 1,048,576 bytes) are refused before they are read.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Filter</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Filter (Ctrl+F)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>First click a photo: the heat map and the matching patches belong to a focal image.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>First click the photo to compare with: it becomes the focal image.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Fisher vectors</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Focal for all</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Focal image</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Focal makes one each hour in which something changed. They hold tags, ratings, judgements, settings, the undo history (10,000 steps) and metrics, not photos.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Focal {0}

A photo browser that learns your own notion of similar.
Everything runs on this machine; your photos are never changed.

Library: {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Folder of the library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Folders</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Folders on network drives</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Folders that the system cannot watch, such as those on network drives, are looked through so often.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Following the judgement</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>For each library; counts when it is opened again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>For the selected photos, else for all untagged ones (Ctrl+G)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Forget</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Forget missing photos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Forget the selected…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Forgetting missing photos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Forward (Alt+Right)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Found by itself: most of the photos are there.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>From an older metric.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Gain</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>General</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Give a tag first (T): Ctrl+{0} then puts it on this key.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Give the recent tag {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Give the related tag {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Give the tag on this key</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Give the tag {0}, key {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Give this tag</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Give this tag ({0})</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Give to the selected photos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Give {0} to all {1} photos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Give {0} too: {1} photos carry it beside one of these tags</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Go back to a &amp;backup</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Go on</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Go on with {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Go on with {0}: about {1} photos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Goes into the sidecar</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Goes with</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Green</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Heat map</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Heat map of the next &amp;kind</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Heat map: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Height of the input in pixels</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Held out</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Held-out judgements right</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>History</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>History, comparison, scores and contradictions (Ctrl+Shift+L)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Hund, chien</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>ImageNet mean and deviation</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>In Focal</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>In the review a metric is trained between two questions, each time half as many photos again are tagged.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>In the sidecar</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>In use</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Indexing was stopped. F5 goes on where it was.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Indexing {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Information</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Input</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It has tags, judgements or ratings, which are not shown then.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It is kept in the history; the metric that was in use stays so.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It is no step of undo, for it is a part of a folder: relocate it back to undo it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It is {0}, key {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>It opens by itself as soon as the other program has ended.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Its folder is away</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Its folder is away: connect its drive</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Its place in the order</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Judged</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Judgements</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Judging</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Keep it (K)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Keep what was flipped, leave the rest open (Tab)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Keeping it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Keeping the answers</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Kernels of the families of features; nothing learned</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Key {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Key {0}: {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Keys</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Keys for it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Kinds of patches in the heat map</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Label</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Label: red, yellow, green, blue</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Labelling</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Language</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Large shapes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Largest file</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Largest photo</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Lasso</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Lay out the map</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Laying out the map</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Learn a new metric from all judgements and tags (Ctrl+R)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Learned by</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Learned from</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Learned from {0} judgements and {1} tagged photos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Learned from {0} of your photos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Learning</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Learning what matters in this photo…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Learns from your photos with the next indexing</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Learns from {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Learns the same way from a part of what was taught, and asks for the rest</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Leave open</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Leave out</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Leave the comparison (Esc)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Leave the ranking (G)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Left metric</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Lens</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Levels</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Light</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>List this missing photo no more?</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>List {0} missing photos no more?</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Locked</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Longest decoding</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Look again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Look at it alone</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Look at it alone (E); select it too: Ctrl+click (F)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Looked through every {0:.0f} s: {1}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Looking for changes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Looking for contradictions</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Looking for missing photos…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Looking for photos…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Looking for what disagrees with everything else…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Looking for what to ask next</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Looking for what to ask next…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Looking into the network</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Looking into the network…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Looking through the catalogue</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ma&amp;p of the library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Made</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Make it the focal &amp;image</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Make it the focal image</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Make one now</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Map</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Map of the library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Matching patches</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Matching the patches</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Mean</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Mean of R, G and B</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Measure</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Measure again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Measure the metrics</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Measuring the metrics</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Measuring what was gained</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Measuring…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Megabytes (of 1,048,576 bytes) that the copies of the catalogue may take in one place; at least two stay.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Merge</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Merge into</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Merge into this library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Merge into…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Merge tags</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Merge: tags, ratings, labels and judgements of photos that are in this library too come into it. They are found by their contents; nothing is taken away, and undo takes it back in one step.

Unpack: a new library is made in an empty folder, with everything that the archive holds.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Merging an archive</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Merging tags</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Metric</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Metrics</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Missing files</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Missing photos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Mouse</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Move to the top level</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Moved by your judgements: {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Name</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Name {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Names of new sidecars</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Names separated by commas, or standard: what Focal comes with, and the networks. See focal descriptors.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Names under the photos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Near because both are near to these</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Near to both: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nearer than usual in nothing.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nearer than usual in: {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Needs nothing.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Neighbours not shared</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Networks of your own</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>New keys</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>New sidecars are named like {0}. Photos themselves are never written.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Next</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Next &amp;untagged photo</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No file was found: search in a folder where they may be</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No key</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No label</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No new kind: give {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No new kind: give {0} ({1})</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No other photo fits “{0}”.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No other photo to rank here yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No patch of the focal image is nearer to this photo than to most.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No photo fits “{0}”.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No photo is left to ask about.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No photo is missing.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No photos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No picture</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No rating</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No tag is on this key: Ctrl+{0} puts the one there that you gave last.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No tag to suggest. Tag a few photos of each kind first, then ask again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No tagged photo speaks for {0} here.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No tags yet: select photos and press T.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>None</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>None for what is selected. Others wait under All.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Not readable</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Not similar</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing can be rescued.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing differs from what can be read of the library.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing is deleted: undo takes it back, and so does a file that is found again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing is known about this photo yet: tag it, or judge others against it, and retrain.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing is left to ask. The rest is best tagged by hand: Esc, then Ctrl+J.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing selected</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing that was tagged or judged disagrees with everything else.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Now at</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>ONNX networks (*.onnx)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>ONNX networks that are descriptors too, as a JSON list; focal descriptors --add-network checks them.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>On disk</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>On: photos are near if the same photos are near to both. Off: the metric's own distance alone.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>On: what changes in the photo folders is taken in within seconds. Off: when Focal starts, and on F5.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>On: what is tagged, rated and labelled in the window goes into sidecars seconds later. Off: when it is asked for.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>On: what was judged against the focal image ranks the others, before any training. Off: the metric alone.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>One click on a photo</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>One file that is too large or damaged must not hold up all others: beyond these limits it is left out and listed with the reason. Where a limit is raised, such files are tried again. The last line says how often folders are looked through that the system cannot watch.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>One more</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Only take in what sidecars say</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Only this kind of patch, with its part of all weight (Shift+H: the next kind)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Only write sidecars</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open a folder of photos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open a folder of photos (Ctrl+O)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open a folder of photos…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open an ar&amp;chive…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open an archive</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open another library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open another library…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open it read-only to look at the photos without changing anything?</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open read-only</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open the library as it is</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Order of the axes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Order of the channels</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Other</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Other names</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Other numbers</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Others</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Output</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Part of the photo</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Parts of families are what leaving them out changes, exactly, over all orders.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Path of an .onnx file</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Pause</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Photo</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Photo {0} of {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Photos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Photos and sidecars say the same: there is nothing to exchange.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Photos are compared by what is switched on. What is new is worked out with the next indexing, for the photos that lack it: Apply starts that at once. Rankings use a descriptor as soon as all photos have it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Photos find their places…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Photos keep their tags, judgements and descriptions; no file is touched. The old place need not be there.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Photos stand</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Photos stay where they are. Focal never changes, moves or uploads them.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Photos that are not there, or others</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Photos that may carry the tag</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Photos that speak for the tag</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Photos with more million pixels are refused before they are decoded.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Pinning a tag</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Press Retrain (Ctrl+R) and the ranking follows your judgements.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Previous</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Principal components of the others</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Problem</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Progress</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Proposals</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Purple</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Put the last tag on this key</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Put the next photo in the place of this one (Space)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Put the previous photo in the place of this one (Backspace)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Putting it right</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Quit</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rank by shared neighbours</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ranking</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rankings &amp;follow my judgements at once</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rankings by shared &amp;neighbours</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rankings follow my judgements at once</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rate, or take the rating off</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ratin&amp;g</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rating</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Re&amp;ject the suggestion</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Re&amp;view</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Reading</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Reading photos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Reading pinned tags</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Reading sidecars</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Reading what is sound…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Reason</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Recent</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Red</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Redo</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Reject the photo</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rejected</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rejecting</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Relo&amp;cate a folder…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Relocate</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Relocate a folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Relocate…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Relocating the folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Remove a &amp;folder from the library…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Remove a folder from the library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Remove from the library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Remove from the library…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Remove network</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Remove {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Removing the folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Removing the network</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rename</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rename (F2)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rename a search</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rename a tag</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rename, other names…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rename…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Renaming a search</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Renaming a tag</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Renaming the metric</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Repair</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Repairing the library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Restore</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Restoring</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Retrain</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Retrain &amp;with</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Retrain ({0} new)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Retrain by &amp;itself in the review</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Retrain by itself</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Retrain with</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Review</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Right among the first</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Right metric</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Room for backups</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>S marks a photo as similar to this one, D as not similar. A double click or Enter walks on.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>S&amp;maller</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save the library as an archive</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save the numbers</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save the numbers…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save the picture</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save the picture…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save the search</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save this search</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Saved searches</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Saving a search</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Saving the library</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Saving the scoreboard</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Scale</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Scale of R, G and B</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Scoreboard</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search in a folder…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Searching</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Searching for missing photos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Searching for their files…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Second place for backups</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Seems to be now</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Select</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Select &amp;all</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Select &amp;nothing</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Select a photo to compare with.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Select a photo to see why it is near; select two, and see why one is nearer.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Select the &amp;focal image too</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Select the photos to judge, or move the pointer to one.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Select the photos to label first.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Select the photos to rate first.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Select the photos to tag first.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Select the photos to tag first: Ctrl+click, or the arrow keys.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Select two to four photos first, then come back: Esc, then Ctrl+click.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Selected</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Selection</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Set</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Settings</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Shape</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Shape and edges</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Shift+Click</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show all photos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show all photos with the tag {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show all photos with this tag</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show photos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show the list</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show the selected photos alone, in Browse</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show the whole map (0)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show them</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show these</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show which places of this photo and of the selected one are taken for the same (M)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show which places of this photo its distance looks at (H)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Showing photos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Sidecar for all</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Sidecars that cannot be read or written as they are</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Similar</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Size</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Size of the photos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Size of the photos (Ctrl+wheel, + and -)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Small shapes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>So it is with {0:,} in all.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>State</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Status</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Step of the trail: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Stop</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Suggest tags</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Suggested tags</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Suggesting again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Suggesting tags</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Suggestions</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Surround photos to select them (L, or drag with Shift)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Tag a few photos first.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Tag a few photos of each kind, then let Focal suggest tags for the rest.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Tag it {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Tag photos with few keys: one tag at a time (Ctrl+Shift+G)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Tagging</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Tags</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Tags of the selection</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Tags that other photos carry beside these</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Take over what other programs wrote</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Take {0} off</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Take {0} off {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Taken</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Taken over: {0}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Takes the chosen network out of the library; its file stays</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Taking in what has changed</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Taking in what was found</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ten photos whose tags would teach most (Ctrl+K)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Texture</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The catalogue of the library is damaged ({0}): close Focal and open it again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The current suggestion was out of sight: here it is. A accepts, X rejects.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The file is missing</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The file is missing or cannot be read.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The heat map</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The heat map and the matching patches belong to the metric {0}: choose it beside Retrain.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The heat map and the matching patches belong to the metric {0}: train it from the menu beside Retrain.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The heat map is that of the focal image: Enter makes this photo it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The last 10,000 steps can be undone; for what is older see Backups.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The last one</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The library goes back to the backup of {0:%Y-%m-%d %H:%M}. What was there is kept.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The library is as this backup has it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The library is backed up, in the second place too.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The library is backed up.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The library is damaged</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The library is open read-only: you can look at everything and change nothing.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The library lies on a network drive ({0}): what you do may be lost if the connection breaks.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The library {0} is damaged</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The map was not laid out to its end.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The mark shows what is usual here: {0:.3f}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The middle, in proportion</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The others will be listed as missing or as edited.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The photos (Esc)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The photos stay on disk, untouched; Focal only stops showing them.

Tags and judgements are kept: add the folder again, and they come back.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The photos stay. Undo brings all of it back.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The photos that speak for the tag of the current photo (hold W)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The ranking follows your judgements. Retrain (Ctrl+R) takes them to all focal images.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The suggestions cannot be seen: widen the column at the right first.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Theme</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There are no photos in these folders.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There are no photos to compare.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There are no photos yet: open a folder first (Ctrl+O).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is a search of this name already: press Save again to replace it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is no backup.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is no focal image: click the photo that is to be it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is no former order: click a photo, then retrain or choose another metric.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is no suggestion here: Ctrl+G asks for some.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is none yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is nothing to learn from yet: judge or tag a few photos first.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is nothing to measure by yet: judge or tag a few photos first.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>These are the suggestions for what is selected: A accepts, X rejects.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>These speak against it:</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>These speak for {0}. Is one of them wrong? Its digit, or a click, takes the tag off.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>They are {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>They are {0}, key {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>They stop nothing: all other photos are in the library. Repaired files are read at the next start.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>They stop nothing: all others are exchanged.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>This distance cannot be split.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Thumbnails take at most</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Trail</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Train a metric</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Training</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Training…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Two metrics</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Two to four photos side by side, zoomed together (C)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Undo</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Undo (Ctrl+Z) takes it back.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Unpack into a new library…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Unpacking an archive</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Untagged</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Use it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Use it nevertheless</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Values</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Visual words</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Was</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Watch the folders</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Weight of the patches around each place, from nothing to the most in this photo</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What are these? Type a name, Enter</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What counts where a rating or label was changed on both sides: focal, sidecar, or ask.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What goes in is (level − mean) × scale, levels from 0 to 255</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What hangs on it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What is exchanged</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What is it? A digit, or type and Enter; Tab passes it over</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What is wrong</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What suggests tags</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Whatever you choose, the damaged catalogue is kept.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>When</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>When photos are indexed, tags, ratings and labels that stand in them or beside them become those of Focal.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Where it is now</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Where missing photos may be</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Where the folder is now</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Where they may be now</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Whoever types one of them gives this tag.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Whole map</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Why</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Why is this near?</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Why?</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Width of the input in pixels</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>With suggestions</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Without any single one of them it would still be nearer.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Without {0}, {1} would be nearer.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Words of the path, tag:dog, -tag:cat, untagged, judged, suggested:sea, date:2024-05, rating&gt;=3, size&gt;2mb, similar:a.jpg; or, and brackets: (beach or tag:sea) -failed</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Working</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Write sidecars by itself</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Writing sidecars</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Yellow</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Yes to {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Your judgements</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Your photos, by your own notion of similar</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Zoom and move all photos together (L)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>a-z, 0-9 and _, a letter first</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>another photo: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>arrows: which photo  ·  Space, Backspace: next or previous in its place  ·  S, D: like the focal image or not  ·  T, 1 to 9: tag  ·  Alt+1 to 5: rate, Alt+X: reject  ·  wheel, + and -: zoom, Z: full size</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>axes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>beach, or animal/dog</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>because:</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>cannot be shown: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>confidence, %</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>cut to squares</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>fell by {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>filter: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>folder: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>judged not similar</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>judged similar</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>keys mean {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>megabytes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>megapixels</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>most</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>most of its photos are there</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>next indexing</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>next:</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>no tags</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>none yet</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>not there: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>nothing</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>nothing selected</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>off</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>older metric:</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>on</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>on the keys: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>open suggestions: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>or drop a folder here</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>other names: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>paused</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>photo.jpg.xmp: as digiKam and darktable. photo.xmp: as Lightroom, where one photo alone has that name.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>photos looked at</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>pixels</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>rank {0}, distance {1:.3f}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>ranked by {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>ranked by {0} and your judgement</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>ranked by {0} and your {1} judgements</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>rating or label</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>read-only</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>rejected</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>rejections: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>ridge: what all tagged photos look like. votes: the nearest tagged photos alone, under the metric in use.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>right among suggestions, held out: {0:.0f} → {1:.0f} % (n = {2})</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>right, %</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>rose by {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>saved searches: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>seconds</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>selects it; two clicks or Enter walk to it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>tags below it: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>tags: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the same content</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the same name; it may have been changed</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>walks to it: it becomes the focal image</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>whole, in lines of one height</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0}
Away. {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} (Enter)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} (not similar) {1:+.3f}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} (on the command line: {1})</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} (similar) {1:+.3f}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} candidates, about {1} right</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} cannot be read: {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} carries {1}: take it off</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} changes wait</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} conflicts stay open.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} failed: {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} folders polled</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} for {1}, {2} % sure, because of {3}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} gives a tag, a rating or a label: choose other keys.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} is at {1:.3f}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} is away, and its photos seem to be in {1} now.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} is away. Its photos can still be ranked and tagged; connect its drive to open them.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} is in the library now, with all that is known of its photos.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} is nearer than {1} by {2:.3f}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} is no longer in the library. Its photos are untouched; add it again to get all back.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} is ready; it learns nothing from judgements and tags.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} is tagged {1}, which nothing speaks for ({2:.0f} % in doubt).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} is tagged {1}; the others would say {2} ({3:.0f} % in doubt).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} is there again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} is written.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} is {1}. Press Set again to use it here instead.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} judged not similar</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} judged similar</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} judgements</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} judgements, {1} tagged photos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} learned from {1} judgements and {2} tagged photos.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} left</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} not readable</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} of them are at the old place too; they stay there and are shown no more.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} of them have tags, judgements or ratings, which are not shown then.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} of {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} of {1} on</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} of {1} photos are there; the contents of {2} were compared.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} of {1} photos are yes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} of {1} photos carry it: click to give it to all</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} of {1} photos differ from their sidecars</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} of {1} photos tagged  ·  click or Space flips, a drag flips a row of them</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} of {1} selected photos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} patches: {1:.0f} % of what speaks for this photo</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} photos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} photos are in the new library. Open it with: focal --library {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} photos have no file any more. They keep all that hangs on them.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} photos have no file any more; they keep all that hangs on them.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} photos indexed, {1} of them new, in {2:.0f} s.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} photos indexed; {1} files could not be read.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} photos left out were asked for, in {1} folds.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} photos of the map</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} photos were changed; undo takes that back in one step.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} photos were changed; {1} photos of the archive are not in this library.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} photos were left out because of their suffix, the first is {1}: rename them.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} photos, with the focal image</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} photos, {1} tags and {2} judgements were saved in {3}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} problems…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} selected</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} shown</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} sidecars were not written; {1}: {2}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} sidecars written, {1} photos changed in Focal.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} stays on: photos are ranked by descriptors of the whole photo, and it is the last one.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} tags and judgements disagree with everything else, the most doubtful first. What you keep does not come again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} tags suggested for {1} photos: A accepts, X rejects.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} that have other tags, about {1} right</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} under two metrics; {1} of the first {2} are the same. At the right, the arrows say by how many places a photo is before or behind its place at the left.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} was judged not similar to {1}; your other judgements say it is ({2:.0f} % in doubt).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} was judged similar to {1}; your other judgements say it is not ({2:.0f} % in doubt).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} {1} would be lost: {2}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0} {1} would come back: {2}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0}, in use</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0}, {1} photos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0}, {1} photos, away</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0}/s</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0}: every {1:.0f} s, because {2}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0}: right among the first {1}: {2:.0f} %</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0}: too little was taught to hold any of it back, or this way of learning takes too long.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0}: waiting</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0}: {1}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0}: {1}, {2:.0f} % of what speaks for this photo</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{0}; on another key: right click</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>↑ yes: {0}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>−1 to 1</source>
      <translation type="unfinished" />
    </message>
  </context>
</TS>
