"""Translates messages of the lower floors for the window: errors, progress, undo steps.

The floors below the tasks do not use Qt; their messages are English, as printed by the command line. This module has
the patterns of the messages shown in the window, which are translated like all its texts, with the inserted parts. A
message without a pattern is shown unchanged.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from PySide6.QtCore import QCoreApplication

_CONTEXT: Final = "messages"
_FIELD: Final = re.compile(r"\{(\d)(:n)?\}")
_DECIMAL: Final = re.compile(r"\d+\.\d")
_VERSION: Final = re.compile(r"(.+)( \(v\d+\))")

MESSAGES: Final[tuple[str, ...]] = (
    "Automatic chooses its own parameters: omit them, or name a learner.",
    "At most {0} examples can be ranked by at once: select fewer.",
    "It cannot be read: {0}.",
    "It cannot be changed: {0}.",
    "It has changed since it was compared: sync again.",
    "It no longer exists: sync again.",
    "It is not well formed: {0}.",
    "It is XML, but not XMP.",
    "It is write-protected: allow writing, and sync again.",
    "Its decoding took longer than {0} seconds.",
    "Its decoding took longer than {0} seconds: raise the limit if your disk or computer is slow.",
    "The process that decoded it was killed, probably because memory was low.",
    "The worker that decoded it was lost: it was killed, ran out of memory, or the decoder crashed.",
    "{0} Focal tries it again at the next indexing.",
    "No catalogue of {0} has been replaced yet: there is nothing to undo.",
    "No indexed photo is tagged yet: tag a few photos first.",
    "No photo has an edge on which to place a patch.",
    "None of the photos could be read to try the network on: check that their folder is available.",
    "These photos have nothing that local distances could be tested on.",
    "Nothing can be learned: {0}",
    "Only two photos that are both indexed can be compared: wait until they are.",
    "Photos are ranked by descriptors of the whole photo: leave at least one switched on.",
    "Photos were edited meanwhile: try again.",
    "Photos were edited meanwhile: wait until they are indexed, then try again.",
    "The archive was written by a later version of Focal: update Focal to open it.",
    "The archive {0} cannot be written: {1}. Free some space, or choose another place.",
    "The archive {0} cannot be written: {1}. Choose another place, or change its permissions.",
    "The archive {0} cannot be written: {1}.",
    "The archive {0} is damaged ({1}): nothing was imported. Use another copy.",
    "{0} was not written by Focal ({1}): nothing was imported.",
    "The copy is damaged ({0}): the library was not moved.",
    "The copy of {0} differs from the original: the disk may be faulty. The library was not moved.",
    "The file of the metric {0} contains no local distances: train again.",
    "The file of the metric {0} contains no metric: train again.",
    "The file of the network {0} has changed ({1}): run focal index.",
    "The image cannot be shown: {0}",
    "The library was not moved: {0}.",
    "The library changed while it was copied: close other programs that use it, and move it again.",
    "The library has no photo folder yet: add one.",
    "The library contains no photo in {0}: there is nothing to relocate.",
    "The library lacks the patches {0}, from which the local distances were learned: run focal index. If that "
    "does not help, train again.",
    "The patches of the library are not at {0}: connect its drive, and try again. A worker of a cluster needs the "
    "same path to the library.",
    "The library takes {0} bytes, and only {1} are free there: free some space first.",
    "The library {0} cannot be written: {1}. Free some space, or choose another place.",
    "The library {0} cannot be written: {1}. Choose another place, or change its permissions.",
    "The library {0} cannot be written: {1}.",
    "The local distances were learned from an earlier version of {0}, which can no longer be computed for "
    "other images: train them again.",
    "The metric cannot be saved: {0}",
    "The metric {0} cannot be used ({1}): choose another one, or train again.",
    "{0} was learned from {1}, which can no longer be computed for other images: train again, or choose "
    "another metric.",
    "{0} was learned from {1}, which {2}: {3}.",
    "1 photo lacks",
    "{0} photos lack",
    "train again, or choose another metric",
    "switch it on again in the settings (focal descriptors --on {0}), train again, or choose another metric",
    "The network cannot be used: {0}.",
    "The network {0} cannot be used: {1}.",
    "The patches of {0} are not computed yet: wait until it is indexed, or run focal index.",
    "The photo is not in the ranking: its folder was removed from the library.",
    "The photos have no patches yet: run focal descriptors --on {0} and focal index.",
    "There is no photo to try the network on: add a folder with photos first.",
    "There is nothing to learn from yet: judge a few photos, or tag some.",
    "{0} contains the library or is in it: choose another folder.",
    "{0} cannot be created: {1}.",
    "{0} cannot be read: {1}.",
    "{0} cannot be shown: {1}",
    "{0} cannot be trained: {1}",
    "{0} cannot be trained with {1}: {2}",
    "{0} cannot be unpacked: {1}.",
    "{0} cannot be decoded: {1}",
    "{0} cannot be used as focal image: {1}",
    "The image",
    "{0} cannot be written: {1}. Free some space, or choose another place.",
    "{0} cannot be written: {1}. Choose another place, or change its permissions.",
    "{0} cannot be written: {1}. Choose an existing folder.",
    "{0} cannot be written: {1}.",
    "{0} could not be written: {1}.",
    "{0} has no edge on which to place a patch: it has no local distance.",
    "{0} is a link: replace it by its target, then move the library.",
    "{0} is part of {1}: only that whole folder can be removed.",
    "{0} is a photo, and Focal never overwrites photos: choose another name.",
    "{0} is not an archive of a library: choose a file written by focal archive.",
    "{0} is not an archive, or its end is missing ({1}).",
    "{0} is not a file: choose another name for the archive.",
    "{0} is not a table of photos: choose another format.",
    "{0} is not in the library: there is nothing to remove.",
    "{0} no longer exists: search again.",
    "{0} is not there.",
    "{0} exists and looks like another kind of file: --force replaces it.",
    "{0} exists already: choose a new or an empty folder for the library.",
    "{0} is the old location of the folder: name its new location.",
    "{0} is in the library itself: choose another folder.",
    "{0} is in {1}, whose photos Focal shows: choose a folder elsewhere.",
    "{0} unpacks to {1} bytes, and only {2} are free: free some space.",
    "{0} was not decoded yet: wait until it is indexed, or run focal index.",
    "{0} was written by a later version of Focal: update Focal to open it.",
    "{0} {1}: connect its drive, or name the folder that contains the photos now.",
    "{0} {1}: name a folder with photos.",
    "is not there",
    "is no folder",
    "{0}, a folder of the library, is in {1}: name the folder that contains the photos.",
    "its folder is offline. Connect its drive, or relocate the folder (File menu) if it was moved.",
    "the file is missing. Missing photos (File menu) searches for missing files.",
    "A bracket is not closed",
    "A date is a year, month or day like 2024, 2024-05 or 2024-05-31",
    "A label cannot contain control characters: type its name without them.",
    "A label has at most {0} characters: choose a shorter name.",
    "A metric needs a name of 1 to {0} printable characters.",
    "A quote is not closed",
    "A rating is 0 to 5 or rejected, as in rating:4, rating>=3 or rating:rejected",
    "A tag cannot contain a comma or a semicolon, which separate tags: leave them out.",
    "A tag cannot contain control characters: type its name without them.",
    "A tag has at most {0} characters: choose a shorter name.",
    "A tag needs a name: type one.",
    "A tag needs a name, also between slashes: write beach or animal/dog.",
    "A value is needed after {0}:",
    "A search needs a name: type one.",
    "A trail needs a name: type one.",
    "More than {0} brackets are open",
    "No photo is called {0}: write the end of its path, as in 2024/beach.jpg",
    "{0} needs a term after it: put it in quotes to search for the word itself",
    "{0} needs a term before it: put it in quotes to search for the word itself",
    "The brackets are empty",
    "The Euclidean metric is always there: it cannot be deleted.",
    "The catalogue is damaged ({0}).",
    "The library has a metric {0} already: train again to get the next version.",
    "The library has no metric with the id {0}: it may have been undone.",
    "The library has no metric {0}: choose one of {1}, or train it first.",
    "The library has no photo with the id {0}: index its folder first.",
    "The library of {0} is closed: open it again.",
    "The library {0} is in use by {1}: close that program and try again.",
    "You have no permission to read the library {0}: ask its owner.",
    "The library {0} was opened read-only: open it for writing to change anything.",
    "The library {0} was opened read-only: no backup was made.",
    "The backup {0} cannot be read ({1}).",
    "The backup {0} has {1:n} {2}, but its manifest lists {3:n}.",
    "The backup {0} is damaged ({1}).",
    "The backup {0} is damaged (digest mismatch).",
    "The backup {0} is damaged: its manifest, {1}, has changed (digest mismatch).",
    "The backup {0} lacks the metric {1}.",
    "The backup {0} was written by a later version of Focal: update Focal first.",
    "The metric {0} of the backup {1} is damaged.",
    "The restore cannot be tried: it needs {0:n} MB in {1} for a short time. Free some room there, or name another "
    "folder in the environment variable TMPDIR.",
    "The restore cannot be tried: {0}",
    "The restored catalogue is damaged: {0}.",
    "The restored library cannot be opened: {0}",
    "The library {0} was written by a later version of Focal (schema {1}, this one knows {2}): update "
    "Focal to open it.",
    "The name of a search cannot contain control characters: type it without them.",
    "The name of a trail cannot contain control characters: type it without them.",
    "The name of a search has at most {0} characters: choose a shorter one.",
    "The name of a trail has at most {0} characters: choose a shorter one.",
    "There is a metric {0} already: choose another name.",
    "There is a saved search {0} already: choose another name.",
    "There is a tag {0} already: merge {1} into it, or choose another name.",
    "There is a trail {0} already: choose another name.",
    "There is no key {0}: use {1}, or put the whole word in quotes",
    "There is no library in {0}: open it once for writing to create one.",
    "The saved search {0} no longer exists.",
    "Nothing to save yet: set a focal image first.",
    "There is no tag {0}: choose an existing tag.",
    "The trail {0} no longer exists.",
    "Your library was moved to {0} but is not there: connect its drive, or move the library back there. To "
    "start a new library, delete {1}.",
    "similar: works only where photos are ranked: leave it out here",
    "{0} is a file: choose a folder for the library.",
    "{0} is itself a tag: merge it into {1}, or choose another name.",
    "{0} is already another name of {1}: remove it there first.",
    "{0} is another name of {1}: remove it there first, or choose another name.",
    "{0} is not a folder: choose one that exists.",
    "{0} is below {1}: a tag cannot be moved into itself.",
    "{0} photos are called {1}: write the folder before it",
    "{0} and {1}, a folder of the library, overlap: one contains the other.",
    "{0}, a folder of the library, is in {1}.",
    "LibRaw does not support it",
    "The file cannot be opened: {0}.",
    "The file is damaged ({0}): copy it again, or use another copy.",
    "The file is incomplete, its end is missing: copy or download it again.",
    "The file is incomplete, only {0} % of the photo can be shown: copy or download it again.",
    "The file is incomplete, the photo lacks detail: copy or download it again.",
    "Focal cannot decode this variety of the format: save the image as JPEG or PNG.",
    "its header is invalid",
    "its headers contradict each other",
    "it contains no picture",
    "colours are missing in its palette",
    "its pixels are out of range",
    "its pixels cannot be decoded",
    "The file is empty.",
    "The file is not in an image format that Focal supports.",
    "The file cannot be read: {0}: raise {1} in the settings if it is a photo.",
    "The file cannot be read: {0}.",
    "it is not a regular file",
    "it has {0} bytes, more than the allowed {1}",
    "TIFF files of this kind are not supported: save the image as PNG.",
    "TIFF files of this compression are not supported: save the image as PNG.",
    "The description of this TIFF file is not valid OME-XML.",
    "The image declares more than {0} planes.",
    "The image has more than the allowed 128 MB of text.",
    "The file unpacks to more than the allowed {0} bytes.",
    "The DICOM file is damaged or of an unsupported kind.",
    "DICOM files need pydicom: {0}.",
    "This DICOM file contains no picture.",
    "This DICOM file uses a compression for which pydicom needs another package: {0}.",
    "OS/2 bitmaps with Huffman or 24-bit run-length compression",
    "Printer bitmaps that contain a JPEG or PNG",
    "Photoshop files with 32 bits per channel",
    "Photoshop files of this compression",
    "Windows metafile",
    "XML or SVG",
    "Decoding it ended the process (out of memory, or the decoder crashed).",
    "The image declares more than the allowed {0} pixels.",
    "The image declares {0} pixels, more than the allowed {1}.",
    "The image needs more memory than is available.",
    "This camera raw file is damaged or of an unknown kind: save the photo as JPEG or PNG.",
    "{0} are not supported: save the image as JPEG or PNG.",
    "{0} files are not supported: save the image as JPEG or PNG.",
    "{0}, held out: {1:n} → {2:n} % ({3}).",
    "right among the first {0:n}",
    "n = {0:n}, ±{1:n}",
    "judged pairs in order",
    "too little data to measure improvement; {0}",
    "no measurable improvement; {0}",
    "an improvement, perhaps by chance; {0}",
    "Automatic chose {0}: {1}",
    "Automatic chose {0} on a sample of {1:n} photos: {2}",
    "Automatic tried {0:n} ways of learning",
    "{0}, and none improves on Euclidean, which is used. The best was {1}: {2}",
    "{0}, and none is clearly better than {1}: {2}",
    "Expected a whole number from {0} to {1}.",
    "Expected a number from {0} to {1}.",
    "Checking the library",
    "Choosing a learner",
    "Comparing",
    "Comparing neighbourhoods",
    "Comparing patches",
    "Comparing tags",
    "Comparing the copy",
    "Comparing the folders",
    "Comparing with sidecars",
    "Copying the library",
    "Deleting the old library",
    "Drawing the demo album",
    "Evaluating",
    "Learning",
    "Learning local distances",
    "Looking for changed photos",
    "Describing photos for a metric",
    "Checking tags",
    "Drawing photos to audit",
    "Looking for missing photos",
    "Looking for photos to describe",
    "Looking for sidecars",
    "Looking for new training data",
    "Choosing training photos",
    "Scanning files",
    "Checking the catalogue",
    "Trying to restore",
    "Measuring the improvement",
    "Opening the copy",
    "Preparing the ranking",
    "Reading judgements",
    "Reading new photos",
    "Reading photos",
    "Reading tags",
    "Reading metadata",
    "Recognising",
    "Refining rankings",
    "Refining rankings: learning from your photos",
    "Refining rankings: {0}",
    "Saving photos",
    "Searching for their files",
    "Choose tags to import",
    "Importing tags",
    "Looking for tags in files",
    "Importing ratings and tags",
    "Trying local distances",
    "Unpacking",
    "Writing sidecars",
    "1 photo",
    "Mark {0} as similar",
    "Mark {0} as dissimilar",
    "Unmark {0}",
    "{0}, {1} examples",
    "Review {0}: {1}",
    "Audit {0}: {1}",
    "How good are the tags?",
    "About {0} photos: {1}",
    "the whole library",
    "{0} answers to an audit of {1}, drawn at random for {2} tags",
    "Out of date: tags have changed since the audit. Audit again for current figures.",
    "All these tags together",
    "all these tags together",
    "At least {0} % of {1} found",
    "Tag",
    "Photos",
    "Answers",
    "Right, of the tagged",
    "Still missing",
    "Found, of all",
    "Ranges contain the true value with a probability of 95 %. They are estimated from the answers to photos "
    "that were drawn at random from strata of confidence, by a beta-binomial model. Corrections made during "
    "the audit are included.",
    "Written by Focal",
    "No photo here carries a tag: there is nothing to audit yet.",
    "No indexed photo carries the tag {0}: choose other tags.",
    "No photo of an audit is answered yet: answer some first.",
    "The audit of {0} has changed: open it again.",
    "Start audit: {0}",
    "Add audit",
    "Confirm judgement",
    "Not duplicates: {0}",
    "Pick {0}",
    "Merge {0} into {1}",
    "Confirm tag: {0}",
    "Save trail: {0}",
    "Delete trail: {0}",
    "Rename trail: {0} to {1}",
    "Save search: {0}",
    "Rename search: {0} to {1}",
    "Rename tag: {0} to {1}",
    "Rename metric: {0}",
    "Exchange with sidecars",
    "Rotate {0} left",
    "Rotate {0} right",
    "Rotate {0} upside down",
    "Remove the rotation of {0}",
    "Learn from a part of the photo",
    "Use the whole photo again",
    "Other name of {0}: {1}",
    "Remove the other name: {0}",
    "Measure metric",
    "{0:n} photos",
    "Tag {0}: {1}",
    "Untag {0}: {1}",
    "Change tags of {0}: {1}",
    "Remove the rating of {0}",
    "Rate {0}: {1}",
    "Rate and label {0}: {1}, {2}",
    "rejected",
    "none",
    "no label",
    "Label {0}: {1}",
    "Remove the label of {0}",
    "Use metric: {0}",
    "Train metric: {0}",
    "Delete metric: {0}",
    "{0} and {1:n} more",
    "Accept {0}: {1}",
    "Reject {0}: {1}",
)
"""Patterns for translation: ``{0}`` stands for any text, ``{0:n}`` for a number."""


def in_words(message: str) -> str:
    """Translate a message of a lower floor to the language of the window.

    Parameters
    ----------
    message : str
        English message. Inserted parts of more than one word are translated too if they are messages. Texts of learners
        and descriptors are also accepted, including a learner's title with a version.
    """
    if not _translates():
        return message
    itself = QCoreApplication.translate(_CONTEXT, message)
    if itself != message:
        return itself
    for pattern, text in _patterns():
        found = pattern.fullmatch(message)
        if found is not None:
            parts = [in_words(part) if " " in part else part for part in found.groups()]
            return _filled(QCoreApplication.translate(_CONTEXT, text), parts)
    named = _VERSION.fullmatch(message)
    return message if named is None else in_words(named[1]) + named[2]


def _filled(text: str, parts: list[str]) -> str:
    point = QCoreApplication.translate("numbers", ".")

    def part(field: re.Match[str]) -> str:
        found = parts[int(field[1])]
        return found.replace(".", point) if field[2] and _DECIMAL.fullmatch(found) else found

    return _FIELD.sub(part, text)


def _translates() -> bool:
    """Return whether the window's language differs from that of the messages."""
    text = MESSAGES[0]
    return QCoreApplication.translate(_CONTEXT, text) != text


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the patterns as regular expressions, those with the longest fixed text first."""
    ordered = sorted(MESSAGES, key=lambda text: -len(_FIELD.sub("", text)))
    return tuple((re.compile(_pattern(text), re.DOTALL), text) for text in ordered)


def _pattern(text: str) -> str:
    parts, end = [], 0
    for field in _FIELD.finditer(text):
        parts += [re.escape(text[end : field.start()]), r"(\d[\d,.\u202f]*)" if field[2] else "(.+?)"]
        end = field.end()
    return "".join([*parts, re.escape(text[end:])])
