<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
  <context>
    <name>focal</name>
    <message numerus="yes">
      <source>%n boxes</source>
      <translation>
        <numerusform>%n box</numerusform>
        <numerusform>%n boxes</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n boxes without a name were left out: name them first.</source>
      <translation>
        <numerusform>%n box without a name was left out: name it first.</numerusform>
        <numerusform>%n boxes without a name were left out: name them first.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n boxes, about {0} right</source>
      <translation>
        <numerusform>%n box, about {0} right</numerusform>
        <numerusform>%n boxes, about {0} right</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n candidates, about {0} right</source>
      <translation>
        <numerusform>%n candidate, about {0} right</numerusform>
        <numerusform>%n candidates, about {0} right</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n changes have been made since.</source>
      <translation>
        <numerusform>%n change has been made since.</numerusform>
        <numerusform>%n changes have been made since.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n conflicts are unresolved.</source>
      <translation>
        <numerusform>%n conflict is unresolved.</numerusform>
        <numerusform>%n conflicts are unresolved.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n disagreements to settle.</source>
      <translation>
        <numerusform>%n disagreement to settle.</numerusform>
        <numerusform>%n disagreements to settle.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n file(s) were moved to the trash. Their tags and judgements stay in the library.</source>
      <translation>
        <numerusform>%n file was moved to the trash. Its tags and judgements stay in the library.</numerusform>
        <numerusform>%n files were moved to the trash. Their tags and judgements stay in the library.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n files of types that Focal does not support: {0}.</source>
      <translation>
        <numerusform>%n file of a type that Focal does not support: {0}.</numerusform>
        <numerusform>%n files of types that Focal does not support: {0}.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n groups</source>
      <translation>
        <numerusform>%n group</numerusform>
        <numerusform>%n groups</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n judgements</source>
      <translation>
        <numerusform>%n judgement</numerusform>
        <numerusform>%n judgements</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n labels</source>
      <translation>
        <numerusform>%n label</numerusform>
        <numerusform>%n labels</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n more</source>
      <translation>
        <numerusform>%n more</numerusform>
        <numerusform>%n more</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n of your photos, answered again.</source>
      <translation>
        <numerusform>One of your photos, answered again.</numerusform>
        <numerusform>%n of your photos, answered again.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n photos</source>
      <translation>
        <numerusform>%n photo</numerusform>
        <numerusform>%n photos</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n photos changed in Focal.</source>
      <translation>
        <numerusform>%n photo changed in Focal.</numerusform>
        <numerusform>%n photos changed in Focal.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n photos in common with {0}.</source>
      <translation>
        <numerusform>%n photo in common with {0}.</numerusform>
        <numerusform>%n photos in common with {0}.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n photos were described in {0:.0f} s.</source>
      <translation>
        <numerusform>%n photo was described in {0:.0f} s.</numerusform>
        <numerusform>%n photos were described in {0:.0f} s.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n ratings</source>
      <translation>
        <numerusform>%n rating</numerusform>
        <numerusform>%n ratings</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n sidecars were not written; {0}: {1}</source>
      <translation>
        <numerusform>%n sidecar was not written; {0}: {1}</numerusform>
        <numerusform>%n sidecars were not written; {0}: {1}</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n sidecars written.</source>
      <translation>
        <numerusform>%n sidecar written.</numerusform>
        <numerusform>%n sidecars written.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n tagged photos</source>
      <translation>
        <numerusform>%n tagged photo</numerusform>
        <numerusform>%n tagged photos</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n tags</source>
      <translation>
        <numerusform>%n tag</numerusform>
        <numerusform>%n tags</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n tags or judgements are probably wrong. Those you keep will not be listed again.</source>
      <translation>
        <numerusform>%n tag or judgement is probably wrong. If you keep it, it will not be listed again.</numerusform>
        <numerusform>%n tags or judgements are probably wrong. Those you keep will not be listed again.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n with other tags, about {0} right</source>
      <translation>
        <numerusform>%n with other tags, about {0} right</numerusform>
        <numerusform>%n with other tags, about {0} right</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Accept %n suggestions (about {0} % right)</source>
      <translation>
        <numerusform>Accept %n suggestion (about {0} % right)</numerusform>
        <numerusform>Accept %n suggestions (about {0} % right)</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Accepted %n suggestions.</source>
      <translation>
        <numerusform>Accepted %n suggestion.</numerusform>
        <numerusform>Accepted %n suggestions.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Ask me again about up to %n photos</source>
      <translation>
        <numerusform>Ask me again about one photo</numerusform>
        <numerusform>Ask me again about up to %n photos</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Check %n more photos</source>
      <translation>
        <numerusform>Check %n more photo</numerusform>
        <numerusform>Check %n more photos</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Found %n tags in {0}</source>
      <translation>
        <numerusform>Found %n tag in {0}</numerusform>
        <numerusform>Found %n tags in {0}</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Found %n tags in {0}.</source>
      <translation>
        <numerusform>Found %n tag in {0}.</numerusform>
        <numerusform>Found %n tags in {0}.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Import %n tags</source>
      <translation>
        <numerusform>Import %n tag</numerusform>
        <numerusform>Import %n tags</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Imported %n tags from {0}.</source>
      <translation>
        <numerusform>Imported %n tag from {0}.</numerusform>
        <numerusform>Imported %n tags from {0}.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Move %n file(s) to the system's trash?</source>
      <translation>
        <numerusform>Move %n file to the system's trash?</numerusform>
        <numerusform>Move %n files to the system's trash?</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Save: %n have the tag</source>
      <translation>
        <numerusform>Save: one has the tag</numerusform>
        <numerusform>Save: %n have the tag</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Settle %n differences</source>
      <translation>
        <numerusform>Settle one difference</numerusform>
        <numerusform>Settle %n differences</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Show the remaining %n photos, most likely first</source>
      <translation>
        <numerusform>Show the remaining photo</numerusform>
        <numerusform>Show the remaining %n photos, most likely first</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>The names of %n boxes are probably wrong. Those you keep will not be listed again.</source>
      <translation>
        <numerusform>The name of %n box is probably wrong. If you keep it, it will not be listed again.</numerusform>
        <numerusform>The names of %n boxes are probably wrong. Those you keep will not be listed again.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>about %n hours</source>
      <translation>
        <numerusform>about %n hour</numerusform>
        <numerusform>about %n hours</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>about %n minutes</source>
      <translation>
        <numerusform>about %n minute</numerusform>
        <numerusform>about %n minutes</numerusform>
      </translation>
    </message>
  </context>
</TS>
