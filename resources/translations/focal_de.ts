<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
  <context>
    <name>focal</name>
    <message>
      <source>  (new: {0})</source>
      <translation>  (neu: {0})</translation>
    </message>
    <message>
      <source> (+{0})</source>
      <translation> (+{0})</translation>
    </message>
    <message>
      <source> among {0} of {1}</source>
      <translation> unter {0} von {1}</translation>
    </message>
    <message>
      <source> or </source>
      <translation> oder </translation>
    </message>
    <message numerus="yes">
      <source>%n boxes</source>
      <translation>
        <numerusform>%n Rahmen</numerusform>
        <numerusform>%n Rahmen</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n boxes without a name were left out: name them first.</source>
      <translation>
        <numerusform>%n Rahmen ohne Namen wurde ausgelassen: Benennen Sie ihn zuerst.</numerusform>
        <numerusform>%n Rahmen ohne Namen wurden ausgelassen: Benennen Sie sie zuerst.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n boxes, about {0} right</source>
      <translation>
        <numerusform>%n Rahmen, etwa {0} richtig</numerusform>
        <numerusform>%n Rahmen, etwa {0} richtig</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n candidates, about {0} right</source>
      <translation>
        <numerusform>%n Kandidat, etwa {0} richtig</numerusform>
        <numerusform>%n Kandidaten, etwa {0} richtig</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n changes have been made since.</source>
      <translation>
        <numerusform>Seitdem wurde %n Änderung gemacht.</numerusform>
        <numerusform>Seitdem wurden %n Änderungen gemacht.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n conflicts are unresolved.</source>
      <translation>
        <numerusform>%n Konflikt bleibt offen.</numerusform>
        <numerusform>%n Konflikte bleiben offen.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n disagreements to settle.</source>
      <translation>
        <numerusform>%n Abweichung ist zu entscheiden.</numerusform>
        <numerusform>%n Abweichungen sind zu entscheiden.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n file(s) were moved to the trash. Their tags and judgements stay in the library.</source>
      <translation>
        <numerusform>%n Datei wurde in den Papierkorb gelegt. Ihre Schlagwörter und Urteile bleiben in der Bibliothek.</numerusform>
        <numerusform>%n Dateien wurden in den Papierkorb gelegt. Ihre Schlagwörter und Urteile bleiben in der Bibliothek.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n files of types that Focal does not support: {0}.</source>
      <translation>
        <numerusform>%n Datei, deren Format Focal nicht liest: {0}.</numerusform>
        <numerusform>%n Dateien, deren Formate Focal nicht liest: {0}.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n groups</source>
      <translation>
        <numerusform>%n Gruppe</numerusform>
        <numerusform>%n Gruppen</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n judgements</source>
      <translation>
        <numerusform>%n Urteil</numerusform>
        <numerusform>%n Urteile</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n labels</source>
      <translation>
        <numerusform>%n Farbmarkierung</numerusform>
        <numerusform>%n Farbmarkierungen</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n more</source>
      <translation>
        <numerusform>noch %n</numerusform>
        <numerusform>noch %n</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n of your photos, answered again.</source>
      <translation>
        <numerusform>Eines Ihrer Fotos, noch einmal beantwortet.</numerusform>
        <numerusform>%n Ihrer Fotos, noch einmal beantwortet.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n photos</source>
      <translation>
        <numerusform>%n Foto</numerusform>
        <numerusform>%n Fotos</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n photos changed in Focal.</source>
      <translation>
        <numerusform>%n Foto in Focal geändert.</numerusform>
        <numerusform>%n Fotos in Focal geändert.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n photos in common with {0}.</source>
      <translation>
        <numerusform>%n Foto gemeinsam mit {0}.</numerusform>
        <numerusform>%n Fotos gemeinsam mit {0}.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n photos were described in {0:.0f} s.</source>
      <translation>
        <numerusform>%n Foto wurde in {0:.0f} s beschrieben.</numerusform>
        <numerusform>%n Fotos wurden in {0:.0f} s beschrieben.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n ratings</source>
      <translation>
        <numerusform>%n Bewertung</numerusform>
        <numerusform>%n Bewertungen</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n sidecars were not written; {0}: {1}</source>
      <translation>
        <numerusform>%n Begleitdatei wurde nicht geschrieben; {0}: {1}</numerusform>
        <numerusform>%n Begleitdateien wurden nicht geschrieben; {0}: {1}</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n sidecars written.</source>
      <translation>
        <numerusform>%n Begleitdatei geschrieben.</numerusform>
        <numerusform>%n Begleitdateien geschrieben.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n tagged photos</source>
      <translation>
        <numerusform>%n Foto mit Schlagwort</numerusform>
        <numerusform>%n Fotos mit Schlagwort</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n tags</source>
      <translation>
        <numerusform>%n Schlagwort</numerusform>
        <numerusform>%n Schlagwörter</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n tags or judgements are probably wrong. Those you keep will not be listed again.</source>
      <translation>
        <numerusform>%n Schlagwort oder Urteil ist wahrscheinlich falsch. Wenn Sie es behalten, erscheint es nicht wieder.</numerusform>
        <numerusform>%n Schlagwörter oder Urteile sind wahrscheinlich falsch. Was Sie behalten, erscheint nicht wieder.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>%n with other tags, about {0} right</source>
      <translation>
        <numerusform>%n mit anderen Schlagwörtern, etwa {0} richtig</numerusform>
        <numerusform>%n mit anderen Schlagwörtern, etwa {0} richtig</numerusform>
      </translation>
    </message>
    <message>
      <source>&amp;About Focal</source>
      <translation>&amp;Über Focal</translation>
    </message>
    <message>
      <source>&amp;Accept</source>
      <translation>&amp;Annehmen</translation>
    </message>
    <message>
      <source>&amp;Add tags</source>
      <translation>&amp;Schlagwörter hinzufügen</translation>
    </message>
    <message>
      <source>&amp;Advanced</source>
      <translation>&amp;Erweitert</translation>
    </message>
    <message>
      <source>&amp;Back</source>
      <translation>&amp;Zurück</translation>
    </message>
    <message>
      <source>&amp;Backups…</source>
      <translation>&amp;Sicherungen…</translation>
    </message>
    <message>
      <source>&amp;Boxes in the preview</source>
      <translation>&amp;Rahmen in der Vorschau</translation>
    </message>
    <message>
      <source>&amp;Captions below the photos</source>
      <translation>&amp;Namen unter den Fotos</translation>
    </message>
    <message>
      <source>&amp;Clear the mark</source>
      <translation>&amp;Markierung löschen</translation>
    </message>
    <message>
      <source>&amp;Compare side by side</source>
      <translation>&amp;Nebeneinander vergleichen</translation>
    </message>
    <message>
      <source>&amp;Copy files and paths</source>
      <translation>&amp;Dateien und Pfade kopieren</translation>
    </message>
    <message>
      <source>&amp;Copy the image</source>
      <translation>&amp;Bild kopieren</translation>
    </message>
    <message>
      <source>&amp;Data sets of other programs…</source>
      <translation>&amp;Datensätze anderer Programme…</translation>
    </message>
    <message>
      <source>&amp;Deselect all</source>
      <translation>Auswahl auf&amp;heben</translation>
    </message>
    <message>
      <source>&amp;Duplicates</source>
      <translation>&amp;Duplikate</translation>
    </message>
    <message>
      <source>&amp;Edit</source>
      <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
      <source>&amp;Export</source>
      <translation>&amp;Exportieren</translation>
    </message>
    <message>
      <source>&amp;File</source>
      <translation>&amp;Datei</translation>
    </message>
    <message>
      <source>&amp;Filter</source>
      <translation>&amp;Filter</translation>
    </message>
    <message>
      <source>&amp;Forward</source>
      <translation>&amp;Vorwärts</translation>
    </message>
    <message>
      <source>&amp;Full screen</source>
      <translation>&amp;Vollbild</translation>
    </message>
    <message>
      <source>&amp;Go</source>
      <translation>&amp;Gehe zu</translation>
    </message>
    <message>
      <source>&amp;Guide</source>
      <translation>&amp;Handbuch</translation>
    </message>
    <message>
      <source>&amp;Heat map</source>
      <translation>&amp;Wärmekarte</translation>
    </message>
    <message>
      <source>&amp;Help</source>
      <translation>&amp;Hilfe</translation>
    </message>
    <message>
      <source>&amp;Import</source>
      <translation>&amp;Importieren</translation>
    </message>
    <message>
      <source>&amp;Keys</source>
      <translation>&amp;Tasten</translation>
    </message>
    <message>
      <source>&amp;Label</source>
      <translation>&amp;Farbmarkierung</translation>
    </message>
    <message>
      <source>&amp;Larger</source>
      <translation>&amp;Größer</translation>
    </message>
    <message>
      <source>&amp;Learn</source>
      <translation>&amp;Lernen</translation>
    </message>
    <message>
      <source>&amp;Learned from all tagged photos</source>
      <translation>Aus allen Schlagwörtern &amp;gelernt</translation>
    </message>
    <message>
      <source>&amp;Learning</source>
      <translation>&amp;Lernen</translation>
    </message>
    <message>
      <source>&amp;Left column</source>
      <translation>&amp;Linke Spalte</translation>
    </message>
    <message>
      <source>&amp;Like these too</source>
      <translation>Auch &amp;wie diese</translation>
    </message>
    <message>
      <source>&amp;Like this</source>
      <translation>&amp;Wie dieses</translation>
    </message>
    <message>
      <source>&amp;Locate a moved folder…</source>
      <translation>&amp;Verschobenen Ordner zuordnen…</translation>
    </message>
    <message>
      <source>&amp;Map beside the grid</source>
      <translation>&amp;Karte neben dem Raster</translation>
    </message>
    <message>
      <source>&amp;Matching patches</source>
      <translation>&amp;Passende Ausschnitte</translation>
    </message>
    <message>
      <source>&amp;Missing photos…</source>
      <translation>&amp;Fehlende Fotos…</translation>
    </message>
    <message>
      <source>&amp;Next photo</source>
      <translation>&amp;Nächstes Foto</translation>
    </message>
    <message>
      <source>&amp;Not like this</source>
      <translation>&amp;Nicht wie dieses</translation>
    </message>
    <message>
      <source>&amp;Not similar to the focal image</source>
      <translation>Dem Fokusbild &amp;unähnlich</translation>
    </message>
    <message>
      <source>&amp;Open a folder of photos…</source>
      <translation>Fotoordner &amp;öffnen…</translation>
    </message>
    <message>
      <source>&amp;Open with the system's program</source>
      <translation>Mit dem &amp;Programm des Systems öffnen</translation>
    </message>
    <message>
      <source>&amp;Order before training (hold)</source>
      <translation>Reihenfolge &amp;vor dem Training (halten)</translation>
    </message>
    <message>
      <source>&amp;Photos</source>
      <translation>&amp;Fotos</translation>
    </message>
    <message>
      <source>&amp;Previous photo</source>
      <translation>&amp;Vorheriges Foto</translation>
    </message>
    <message>
      <source>&amp;Quit</source>
      <translation>&amp;Beenden</translation>
    </message>
    <message>
      <source>&amp;Rank by this photo only</source>
      <translation>&amp;Nur nach diesem Foto ordnen</translation>
    </message>
    <message>
      <source>&amp;Redo</source>
      <translation>&amp;Wiederholen</translation>
    </message>
    <message>
      <source>&amp;Remove from the examples</source>
      <translation>Aus den &amp;Beispielen entfernen</translation>
    </message>
    <message>
      <source>&amp;Repeat last tagging</source>
      <translation>&amp;Letzte Verschlagwortung wiederholen</translation>
    </message>
    <message>
      <source>&amp;Rescan folders</source>
      <translation>Ordner neu &amp;einlesen</translation>
    </message>
    <message>
      <source>&amp;Rescue the intact data, and fill the gaps from the newest backup</source>
      <translation>&amp;Unversehrte Daten retten und Lücken aus der neuesten Sicherung füllen</translation>
    </message>
    <message>
      <source>&amp;Retrain</source>
      <translation>&amp;Neu trainieren</translation>
    </message>
    <message>
      <source>&amp;Right column</source>
      <translation>&amp;Rechte Spalte</translation>
    </message>
    <message>
      <source>&amp;Save the library as an archive…</source>
      <translation>Bibliothek als &amp;Archiv speichern…</translation>
    </message>
    <message>
      <source>&amp;Select for a goal…</source>
      <translation>Für ein &amp;Ziel auswählen…</translation>
    </message>
    <message>
      <source>&amp;Settings…</source>
      <translation>&amp;Einstellungen…</translation>
    </message>
    <message>
      <source>&amp;Similar to the focal image</source>
      <translation>Dem Fokusbild ä&amp;hnlich</translation>
    </message>
    <message>
      <source>&amp;Suggest tags</source>
      <translation>Schlagwörter &amp;vorschlagen</translation>
    </message>
    <message>
      <source>&amp;Sync with XMP sidecars…</source>
      <translation>Mit &amp;XMP-Begleitdateien abgleichen…</translation>
    </message>
    <message>
      <source>&amp;Tags</source>
      <translation>&amp;Schlagwörter</translation>
    </message>
    <message>
      <source>&amp;Theme</source>
      <translation>&amp;Erscheinungsbild</translation>
    </message>
    <message>
      <source>&amp;Trails</source>
      <translation>&amp;Spuren</translation>
    </message>
    <message>
      <source>&amp;Undo</source>
      <translation>&amp;Rückgängig</translation>
    </message>
    <message>
      <source>&amp;View</source>
      <translation>&amp;Ansicht</translation>
    </message>
    <message>
      <source>&amp;View single photo</source>
      <translation>Einzeln &amp;ansehen</translation>
    </message>
    <message>
      <source>&amp;Votes of the nearest photos, by distance</source>
      <translation>&amp;Stimmen der nächsten Fotos, nach Abstand</translation>
    </message>
    <message>
      <source>&amp;Watch folders for changes</source>
      <translation>Ordner auf Änderungen &amp;überwachen</translation>
    </message>
    <message>
      <source>&amp;Why this tag?</source>
      <translation>&amp;Warum dieses Schlagwort?</translation>
    </message>
    <message>
      <source>* Out of date: tags have changed since the audit.</source>
      <translation>* Veraltet: Schlagwörter wurden seit der Prüfung geändert.</translation>
    </message>
    <message>
      <source>, no to {0}</source>
      <translation>, nein zu {0}</translation>
    </message>
    <message>
      <source>, not like {0}</source>
      <translation>, nicht wie {0}</translation>
    </message>
    <message>
      <source>, usually {0:.3f}</source>
      <translation>, üblich {0:.3f}</translation>
    </message>
    <message>
      <source>.</source>
      <translation>,</translation>
    </message>
    <message>
      <source>0 to 1</source>
      <translation>0 bis 1</translation>
    </message>
    <message>
      <source>0 to 255</source>
      <translation>0 bis 255</translation>
    </message>
    <message>
      <source>1 box</source>
      <translation>1 Rahmen</translation>
    </message>
    <message>
      <source>1 folder polled</source>
      <translation>1 Ordner wird regelmäßig durchsucht</translation>
    </message>
    <message>
      <source>1 judgement</source>
      <translation>1 Urteil</translation>
    </message>
    <message>
      <source>1 more file is a copy of one of them.</source>
      <translation>1 weitere Datei ist eine Kopie eines davon.</translation>
    </message>
    <message>
      <source>1 photo</source>
      <translation>1 Foto</translation>
    </message>
    <message>
      <source>1 photo lacks</source>
      <translation>die einem Foto fehlt</translation>
    </message>
    <message>
      <source>1 problem…</source>
      <translation>1 Problem…</translation>
    </message>
    <message>
      <source>1 suggestion</source>
      <translation>1 Vorschlag</translation>
    </message>
    <message>
      <source>1 tag</source>
      <translation>1 Schlagwort</translation>
    </message>
    <message>
      <source>1 unsaved change</source>
      <translation>1 ungespeicherte Änderung</translation>
    </message>
    <message>
      <source>1–5: stars</source>
      <translation>1–5: Sterne</translation>
    </message>
    <message>
      <source>1–9: tags</source>
      <translation>1–9: Schlagw.</translation>
    </message>
    <message>
      <source>3-D</source>
      <translation>3-D</translation>
    </message>
    <message>
      <source>; held-out judgements right: {0:.0f} % (n = {1})</source>
      <translation>; zurückgehaltene Urteile richtig: {0:.0f} % (n = {1})</translation>
    </message>
    <message>
      <source>; mean confidence error of suggestions: {0:.0f} points (n = {1})</source>
      <translation>; Sicherheit der Vorschläge liegt im Mittel {0:.0f} Punkte daneben (n = {1})</translation>
    </message>
    <message>
      <source>A Dask cluster needs the address of its scheduler: --scheduler tcp://HOST:PORT.</source>
      <translation>Ein Dask-Cluster braucht die Adresse seines Schedulers: --scheduler tcp://HOST:PORT.</translation>
    </message>
    <message>
      <source>A box in {0} is named {1}. It looks like {2} (probably wrong: {3} %).</source>
      <translation>Ein Rahmen in {0} heißt {1}. Er sieht aus wie {2} (wahrscheinlich falsch: {3} %).</translation>
    </message>
    <message>
      <source>A box in {0} is named {1}. Similar boxes are not (probably wrong: {2} %).</source>
      <translation>Ein Rahmen in {0} heißt {1}. Ähnliche Rahmen heißen nicht so (wahrscheinlich falsch: {2} %).</translation>
    </message>
    <message>
      <source>A box must lie inside the photo and have a width and a height: draw it again.</source>
      <translation>Ein Rahmen muss innerhalb des Fotos liegen und eine Breite und eine Höhe haben: zeichnen Sie ihn neu.</translation>
    </message>
    <message>
      <source>A bracket is not closed</source>
      <translation>Eine schließende Klammer fehlt</translation>
    </message>
    <message>
      <source>A date is a year, month or day like 2024, 2024-05 or 2024-05-31</source>
      <translation>Ein Datum ist ein Jahr, Monat oder Tag wie 2024, 2024-05 oder 2024-05-31</translation>
    </message>
    <message>
      <source>A digit or a click sets one as focal image.</source>
      <translation>Eine Ziffer oder ein Klick macht eines zum Fokusbild.</translation>
    </message>
    <message>
      <source>A drag draws a box, which gets the likeliest name; a digit or T names it or the frame.</source>
      <translation>Ziehen zeichnet einen Rahmen, der den wahrscheinlichsten Namen bekommt; eine Ziffer oder T benennt ihn oder den vorgeschlagenen.</translation>
    </message>
    <message>
      <source>A drag draws a box. Click or Space accepts or refuses a frame, E corrects it by keys.</source>
      <translation>Ziehen zeichnet einen Rahmen. Klick oder Leertaste nimmt einen an oder lehnt ihn ab, E korrigiert ihn mit Tasten.</translation>
    </message>
    <message>
      <source>A field is not valid, so the changes cannot be applied.</source>
      <translation>Ein Feld ist ungültig. Die Änderungen lassen sich deshalb nicht anwenden.</translation>
    </message>
    <message>
      <source>A file needs suffixes, and a folder has none.</source>
      <translation>Eine Datei braucht Endungen, und ein Ordner hat keine.</translation>
    </message>
    <message>
      <source>A folder per class</source>
      <translation>Ein Ordner je Klasse</translation>
    </message>
    <message>
      <source>A folder, preferably on another drive, to which each backup is also copied; none: no second copy. The drive may be disconnected.</source>
      <translation>Ein Ordner, am besten auf einem anderen Laufwerk, in den jede Sicherung zusätzlich kopiert wird; none: keine zweite Kopie. Das Laufwerk muss nicht immer angeschlossen sein.</translation>
    </message>
    <message>
      <source>A label cannot contain control characters: type its name without them.</source>
      <translation>Eine Farbmarkierung darf keine Steuerzeichen enthalten: Geben Sie den Namen ohne sie ein.</translation>
    </message>
    <message>
      <source>A label has at most {0} characters: choose a shorter name.</source>
      <translation>Eine Farbmarkierung darf höchstens {0} Zeichen haben: Wählen Sie einen kürzeren Namen.</translation>
    </message>
    <message>
      <source>A lens cannot be compared with local distances: use another metric, then try it again.</source>
      <translation>Ein Blickwinkel lässt sich nicht mit lokalen Abständen vergleichen: Verwenden Sie eine andere Metrik, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
      <source>A metric for each family of features, and how much each family counts</source>
      <translation>Eine Metrik für jede Merkmalsfamilie und das Gewicht jeder Familie</translation>
    </message>
    <message>
      <source>A metric needs a name of 1 to {0} printable characters.</source>
      <translation>Der Name einer Metrik muss aus 1 bis {0} druckbaren Zeichen bestehen.</translation>
    </message>
    <message>
      <source>A name cannot contain control characters: type it without them.</source>
      <translation>Ein Name darf keine Steuerzeichen enthalten: Geben Sie ihn ohne sie ein.</translation>
    </message>
    <message>
      <source>A name has at most {0} characters: choose a shorter one.</source>
      <translation>Ein Name darf höchstens {0} Zeichen haben: Wählen Sie einen kürzeren.</translation>
    </message>
    <message>
      <source>A name is needed: type one.</source>
      <translation>Ein Name fehlt: Geben Sie einen ein.</translation>
    </message>
    <message>
      <source>A network must have one input, an image; this has {0}.</source>
      <translation>Ein Netz muss eine Eingabe haben, ein Bild; dieses hat {0}.</translation>
    </message>
    <message>
      <source>A network's input is 1 to {0} pixels a side and its output not empty, this is {1}x{2} with {3} values.</source>
      <translation>Die Eingabe eines Netzes hat Seiten von 1 bis {0} Pixeln, und seine Ausgabe ist nicht leer; dieses hat {1}x{2} und {3} Werte.</translation>
    </message>
    <message>
      <source>A new kind needs a name. Tab leaves these photos open.</source>
      <translation>Eine neue Art braucht einen Namen. Tab lässt diese Fotos offen.</translation>
    </message>
    <message>
      <source>A new kind?</source>
      <translation>Eine neue Art?</translation>
    </message>
    <message>
      <source>A number, or three for R, G and B: 123.7, 116.3, 103.5</source>
      <translation>Eine Zahl oder drei für R, G und B: 123.7, 116.3, 103.5</translation>
    </message>
    <message>
      <source>A quote is not closed</source>
      <translation>Ein schließendes Anführungszeichen fehlt</translation>
    </message>
    <message>
      <source>A rating is 0 to 5 or rejected, as in rating:4, rating&gt;=3 or rating:rejected</source>
      <translation>Eine Bewertung ist 0 bis 5 oder rejected, etwa rating:4, rating&gt;=3 oder rating:rejected</translation>
    </message>
    <message>
      <source>A region must lie inside the photo and have a width and a height: draw it again.</source>
      <translation>Ein Ausschnitt muss innerhalb des Fotos liegen und eine Breite und eine Höhe haben: zeichnen Sie ihn neu.</translation>
    </message>
    <message>
      <source>A restore of the library {0} was interrupted: open it for writing to finish it.</source>
      <translation>Die Wiederherstellung der Bibliothek {0} wurde unterbrochen: Öffnen Sie die Bibliothek zum Schreiben, um sie abzuschließen.</translation>
    </message>
    <message>
      <source>A search of this name already exists: press Save again to replace it.</source>
      <translation>Eine Suche dieses Namens gibt es schon: Klicken Sie noch einmal auf „Speichern“, um sie zu ersetzen.</translation>
    </message>
    <message>
      <source>A similarity from triplets, one at a time; no metric</source>
      <translation>Eine Ähnlichkeit aus Tripeln, einem nach dem anderen; keine Metrik</translation>
    </message>
    <message>
      <source>A star marks keys that you have changed.</source>
      <translation>Ein Stern kennzeichnet Tasten, die Sie geändert haben.</translation>
    </message>
    <message>
      <source>A sum of few directions, each of which separates photos in some region</source>
      <translation>Eine Summe weniger Richtungen, von denen jede die Fotos in einem Bereich trennt</translation>
    </message>
    <message>
      <source>A tag cannot be merged into itself: choose another tag.</source>
      <translation>Ein Schlagwort lässt sich nicht mit sich selbst zusammenführen: Wählen Sie ein anderes.</translation>
    </message>
    <message>
      <source>A tag cannot contain a comma or a semicolon, which separate tags: leave them out.</source>
      <translation>Ein Schlagwort darf weder Komma noch Semikolon enthalten, denn diese trennen Schlagwörter: Lassen Sie sie weg.</translation>
    </message>
    <message>
      <source>A tag cannot contain control characters: type its name without them.</source>
      <translation>Ein Schlagwort darf keine Steuerzeichen enthalten: Geben Sie den Namen ohne sie ein.</translation>
    </message>
    <message>
      <source>A tag has at most {0} characters: choose a shorter name.</source>
      <translation>Ein Schlagwort darf höchstens {0} Zeichen haben: Wählen Sie einen kürzeren Namen.</translation>
    </message>
    <message>
      <source>A tag needs a name, also between slashes: write beach or animal/dog.</source>
      <translation>Ein Schlagwort braucht einen Namen, auch zwischen Schrägstrichen: Schreiben Sie Strand oder Tier/Hund.</translation>
    </message>
    <message>
      <source>A tag needs a name: type one.</source>
      <translation>Ein Schlagwort braucht einen Namen: Geben Sie einen ein.</translation>
    </message>
    <message>
      <source>A text has 1 to {0} tokens, not {1}.</source>
      <translation>Ein Text hat 1 bis {0} Token, nicht {1}.</translation>
    </message>
    <message>
      <source>A text network takes input_ids (and {0}), this one takes {1}.</source>
      <translation>Ein Textnetz nimmt input_ids (und {0}), dieses nimmt {1}.</translation>
    </message>
    <message>
      <source>A trail of this name already exists: press Save again to replace it.</source>
      <translation>Eine Spur dieses Namens gibt es schon: Klicken Sie noch einmal auf „Speichern“, um sie zu ersetzen.</translation>
    </message>
    <message>
      <source>A value is needed after {0}:</source>
      <translation>Nach {0}: fehlt ein Wert</translation>
    </message>
    <message>
      <source>A {0} is pixels, as in {0}&gt;=1920</source>
      <translation>{0} wird in Pixeln angegeben, etwa {0}&gt;=1920</translation>
    </message>
    <message>
      <source>A&amp;ccept the suggestion</source>
      <translation>Vorschlag &amp;annehmen</translation>
    </message>
    <message>
      <source>About Focal</source>
      <translation>Über Focal</translation>
    </message>
    <message numerus="yes">
      <source>Accept %n suggestions (about {0} % right)</source>
      <translation>
        <numerusform>%n Vorschlag annehmen (zu etwa {0} % richtig)</numerusform>
        <numerusform>%n Vorschläge annehmen (etwa {0} % richtig)</numerusform>
      </translation>
    </message>
    <message>
      <source>Accept all</source>
      <translation>Alle annehmen</translation>
    </message>
    <message>
      <source>Accept all as shown</source>
      <translation>Alle so annehmen</translation>
    </message>
    <message>
      <source>Accept the rest at 95 % precision…</source>
      <translation>Den Rest mit 95 % Genauigkeit annehmen…</translation>
    </message>
    <message>
      <source>Accept the selected</source>
      <translation>Ausgewählte annehmen</translation>
    </message>
    <message>
      <source>Accept this frame</source>
      <translation>Diesen Rahmen annehmen</translation>
    </message>
    <message>
      <source>Accept {0}: {1}</source>
      <translation>Vorschlag annehmen für {0}: {1}</translation>
    </message>
    <message numerus="yes">
      <source>Accepted %n suggestions.</source>
      <translation>
        <numerusform>%n Vorschlag angenommen.</numerusform>
        <numerusform>%n Vorschläge angenommen.</numerusform>
      </translation>
    </message>
    <message>
      <source>Accepting</source>
      <translation>Vorschläge werden angenommen</translation>
    </message>
    <message>
      <source>Accepting the found locations</source>
      <translation>Gefundene Orte werden übernommen</translation>
    </message>
    <message>
      <source>Add</source>
      <translation>Hinzufügen</translation>
    </message>
    <message>
      <source>Add a network</source>
      <translation>Netz hinzufügen</translation>
    </message>
    <message>
      <source>Add a photo</source>
      <translation>Ein Foto hinzunehmen</translation>
    </message>
    <message>
      <source>Add a tag first (T). Ctrl+{0} then assigns it to this key.</source>
      <translation>Fügen Sie zuerst ein Schlagwort hinzu (T). Strg+{0} legt es dann auf diese Taste.</translation>
    </message>
    <message>
      <source>Add answers of other people</source>
      <translation>Antworten anderer Personen hinzufügen</translation>
    </message>
    <message>
      <source>Add audit</source>
      <translation>Prüfung hinzufügen</translation>
    </message>
    <message>
      <source>Add network…</source>
      <translation>Netz hinzufügen…</translation>
    </message>
    <message>
      <source>Add tags</source>
      <translation>Schlagwörter hinzufügen</translation>
    </message>
    <message>
      <source>Add tags: beach, animal/dog</source>
      <translation>Schlagwörter: Strand, Tier/Hund</translation>
    </message>
    <message>
      <source>Add the next photo (Shift+Space)</source>
      <translation>Das nächste Foto hinzunehmen (Umschalt+Leertaste)</translation>
    </message>
    <message>
      <source>Add the recent tag {0}</source>
      <translation>Zuletzt benutztes Schlagwort {0} hinzufügen</translation>
    </message>
    <message>
      <source>Add the related tag {0}</source>
      <translation>Verwandtes Schlagwort {0} hinzufügen</translation>
    </message>
    <message>
      <source>Add the tag of key {0}</source>
      <translation>Schlagwort der Taste {0} hinzufügen</translation>
    </message>
    <message>
      <source>Add the tag of this key</source>
      <translation>Schlagwort dieser Taste hinzufügen</translation>
    </message>
    <message>
      <source>Add the tag on this key (new kinds, photo by photo)</source>
      <translation>Das Schlagwort auf dieser Taste hinzufügen (neue Arten, Foto für Foto)</translation>
    </message>
    <message>
      <source>Add the tag {0}, key {1}</source>
      <translation>Schlagwort {0} hinzufügen, Taste {1}</translation>
    </message>
    <message>
      <source>Add this tag</source>
      <translation>Dieses Schlagwort hinzufügen</translation>
    </message>
    <message>
      <source>Add this tag ({0})</source>
      <translation>Dieses Schlagwort hinzufügen ({0})</translation>
    </message>
    <message>
      <source>Add to the selected photos</source>
      <translation>Zu den ausgewählten Fotos hinzufügen</translation>
    </message>
    <message>
      <source>Add {0}</source>
      <translation>{0} hinzufügen</translation>
    </message>
    <message>
      <source>Add {0} and continue</source>
      <translation>{0} hinzufügen und weiter</translation>
    </message>
    <message>
      <source>Add {0} to all {1} photos</source>
      <translation>{0} zu allen {1} Fotos hinzufügen</translation>
    </message>
    <message>
      <source>Add {0} too: {1} photos have it together with one of these tags</source>
      <translation>Auch {0} hinzufügen: {1} Fotos haben es zusammen mit einem dieser Schlagwörter</translation>
    </message>
    <message>
      <source>Add {0}, key {1}</source>
      <translation>{0} hinzufügen, Taste {1}</translation>
    </message>
    <message>
      <source>Adding the network</source>
      <translation>Netz wird hinzugefügt</translation>
    </message>
    <message>
      <source>Advanced</source>
      <translation>Erweitert</translation>
    </message>
    <message>
      <source>Agree&amp;ment with others…</source>
      <translation>&amp;Übereinstimmung mit anderen…</translation>
    </message>
    <message>
      <source>Agreement</source>
      <translation>Übereinstimmung</translation>
    </message>
    <message>
      <source>Agreement (kappa)</source>
      <translation>Übereinstimmung (Kappa)</translation>
    </message>
    <message>
      <source>Agreement of {0} on {1}</source>
      <translation>Übereinstimmung von {0} am {1}</translation>
    </message>
    <message>
      <source>Agreement on each tag</source>
      <translation>Übereinstimmung je Schlagwort</translation>
    </message>
    <message>
      <source>Agreement with {0}: kappa {1:.2f} (the median of {2} tags).</source>
      <translation>Übereinstimmung mit {0}: Kappa {1:.2f} (Median von {2} Schlagwörtern).</translation>
    </message>
    <message>
      <source>Aliases</source>
      <translation>Synonyme</translation>
    </message>
    <message>
      <source>All</source>
      <translation>Alle</translation>
    </message>
    <message>
      <source>All families' metrics fitted at once; slow, from a few hundred photos</source>
      <translation>Passt die Metriken aller Merkmalsfamilien gemeinsam an; langsam, lernt aus einigen Hundert Fotos</translation>
    </message>
    <message>
      <source>All focal images</source>
      <translation>Alle Fokusbilder</translation>
    </message>
    <message>
      <source>All folders</source>
      <translation>Alle Ordner</translation>
    </message>
    <message>
      <source>All judgements</source>
      <translation>Alle Urteile</translation>
    </message>
    <message>
      <source>All kinds of patches (Shift+H: the next kind)</source>
      <translation>Alle Arten zusammen (Umschalt+H: die nächste Art)</translation>
    </message>
    <message>
      <source>All other photos are in the library. Once you repair a file, it is read again within seconds, or with F5.</source>
      <translation>Alle anderen Fotos sind in der Bibliothek. Reparierte Dateien liest Focal nach einigen Sekunden oder mit F5 neu ein.</translation>
    </message>
    <message>
      <source>All others are synced.</source>
      <translation>Alle anderen werden abgeglichen.</translation>
    </message>
    <message>
      <source>All patches</source>
      <translation>Alle Ausschnitte</translation>
    </message>
    <message>
      <source>All photos</source>
      <translation>Alle Fotos</translation>
    </message>
    <message>
      <source>All tags</source>
      <translation>Alle Schlagwörter</translation>
    </message>
    <message>
      <source>All these tags together</source>
      <translation>Alle diese Schlagwörter zusammen</translation>
    </message>
    <message>
      <source>All {0}: about {1}, {2} on the disk.</source>
      <translation>Alle {0}: etwa {1}, {2} auf dem Datenträger.</translation>
    </message>
    <message>
      <source>Allow {0}</source>
      <translation>{0} zulassen</translation>
    </message>
    <message>
      <source>Alpha</source>
      <translation>Alpha</translation>
    </message>
    <message>
      <source>Am I done?</source>
      <translation>Bin ich fertig?</translation>
    </message>
    <message>
      <source>An image-and-text network has a file for texts and a tokenizer.json: give both.</source>
      <translation>Ein Netz für Bilder und Texte hat eine Datei für Texte und eine tokenizer.json: Geben Sie beide an.</translation>
    </message>
    <message>
      <source>Another program has locked the catalogue of the library {0}: close that program and try again.</source>
      <translation>Ein anderes Programm hat den Katalog der Bibliothek {0} gesperrt: Schließen Sie dieses Programm, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
      <source>Another program has rotated the files of {0}. They are shown as they are now; Undo rotates them back.</source>
      <translation>Ein anderes Programm hat die Dateien von {0} gedreht. Focal zeigt sie, wie sie jetzt sind; „Rückgängig“ dreht sie zurück.</translation>
    </message>
    <message>
      <source>Answer without seeing your tags, which stay: do you agree with yourself?</source>
      <translation>Antworten, ohne Ihre Schlagwörter zu sehen; sie bleiben: Stimmen Sie mit sich selbst überein?</translation>
    </message>
    <message>
      <source>Answers</source>
      <translation>Antworten</translation>
    </message>
    <message>
      <source>Any ONNX file that takes one image</source>
      <translation>Jede ONNX-Datei, die ein Bild entgegennimmt</translation>
    </message>
    <message>
      <source>Any two photos</source>
      <translation>Zwei beliebige Fotos</translation>
    </message>
    <message>
      <source>Applied to {0}.</source>
      <translation>Auf {0} angewendet.</translation>
    </message>
    <message>
      <source>Apply</source>
      <translation>Anwenden</translation>
    </message>
    <message>
      <source>Applying the judgement</source>
      <translation>Urteil wird angewendet</translation>
    </message>
    <message>
      <source>Archive of another person</source>
      <translation>Archiv einer anderen Person</translation>
    </message>
    <message>
      <source>Archives (*.zip)</source>
      <translation>Archive (*.zip)</translation>
    </message>
    <message>
      <source>Archives (*{0})</source>
      <translation>Archive (*{0})</translation>
    </message>
    <message>
      <source>Arrange the map</source>
      <translation>Karte anordnen</translation>
    </message>
    <message>
      <source>Arranging photos…</source>
      <translation>Fotos werden angeordnet…</translation>
    </message>
    <message>
      <source>Arranging the map</source>
      <translation>Karte wird angeordnet</translation>
    </message>
    <message>
      <source>Arranging the map was stopped.</source>
      <translation>Das Anordnen der Karte wurde angehalten.</translation>
    </message>
    <message>
      <source>Arrays of numpy</source>
      <translation>NumPy-Arrays</translation>
    </message>
    <message>
      <source>As printed in the paper</source>
      <translation>Wie im Aufsatz gedruckt</translation>
    </message>
    <message>
      <source>Ask about new kinds</source>
      <translation>Nach neuen Arten fragen</translation>
    </message>
    <message numerus="yes">
      <source>Ask me again about up to %n photos</source>
      <translation>
        <numerusform>Noch einmal nach einem Foto fragen</numerusform>
        <numerusform>Noch einmal nach bis zu %n Fotos fragen</numerusform>
      </translation>
    </message>
    <message>
      <source>Ask me again…</source>
      <translation>Noch einmal fragen…</translation>
    </message>
    <message>
      <source>Ask me ne&amp;xt</source>
      <translation>Als Nächstes &amp;fragen</translation>
    </message>
    <message>
      <source>Ask me next</source>
      <translation>Als Nächstes fragen</translation>
    </message>
    <message>
      <source>Assign the last tag to key {0}</source>
      <translation>Letztes Schlagwort auf Taste {0} legen</translation>
    </message>
    <message>
      <source>Assign the last tag to this key</source>
      <translation>Letztes Schlagwort auf diese Taste legen</translation>
    </message>
    <message>
      <source>At least {0} % of the given tags are right, and at least {1} % of the tags that photos should have are given.</source>
      <translation>Mindestens {0} % der vergebenen Schlagwörter sind richtig, und mindestens {1} % der Schlagwörter, die die Fotos tragen sollten, sind vergeben.</translation>
    </message>
    <message>
      <source>At least {0} % of the photos tagged {2} should have the tag, and at least {1} % of the photos that should have it do.</source>
      <translation>Mindestens {0} % der Fotos mit dem Schlagwort {2} tragen es zu Recht, und mindestens {1} % der Fotos, die es tragen sollten, tragen es.</translation>
    </message>
    <message>
      <source>At most {0} examples can be ranked by at once: select fewer.</source>
      <translation>Auf einmal sind höchstens {0} Beispiele möglich: Wählen Sie weniger aus.</translation>
    </message>
    <message>
      <source>Attached data</source>
      <translation>Zugehörige Daten</translation>
    </message>
    <message>
      <source>Audit {0}</source>
      <translation>{0} prüfen</translation>
    </message>
    <message>
      <source>Audit {0}: {1}</source>
      <translation>Prüfung {0}: {1}</translation>
    </message>
    <message>
      <source>Automatic</source>
      <translation>Automatisch</translation>
    </message>
    <message>
      <source>Automatic chooses its own parameters: omit them, or name a learner.</source>
      <translation>„Automatisch“ wählt die Parameter selbst: Lassen Sie sie weg, oder wählen Sie ein Lernverfahren.</translation>
    </message>
    <message>
      <source>Automatic chose {0} on a sample of {1} photos: {2}</source>
      <translation>Automatisch gewählt an einer Stichprobe von {1} Fotos: „{0}“; {2}</translation>
    </message>
    <message>
      <source>Automatic chose {0}: {1}</source>
      <translation>Automatisch gewählt: „{0}“; {1}</translation>
    </message>
    <message>
      <source>Automatic tried {0} ways of learning</source>
      <translation>{0} Lernverfahren wurden probiert</translation>
    </message>
    <message>
      <source>Back (Alt+Left)</source>
      <translation>Zurück (Alt+Links)</translation>
    </message>
    <message>
      <source>Back to Review</source>
      <translation>Zurück zur Durchsicht</translation>
    </message>
    <message>
      <source>Back to the &amp;grid</source>
      <translation>Zurück zum &amp;Raster</translation>
    </message>
    <message>
      <source>Back to the photos</source>
      <translation>Zurück zu den Fotos</translation>
    </message>
    <message>
      <source>Back to the previous metric</source>
      <translation>Zurück zur vorigen Metrik</translation>
    </message>
    <message>
      <source>Back up now</source>
      <translation>Jetzt sichern</translation>
    </message>
    <message>
      <source>Backing up the library</source>
      <translation>Bibliothek wird gesichert</translation>
    </message>
    <message>
      <source>Backups</source>
      <translation>Sicherungen</translation>
    </message>
    <message>
      <source>Balanced by tag</source>
      <translation>Gleich viele je Schlagwort</translation>
    </message>
    <message>
      <source>Begin</source>
      <translation>Beginnen</translation>
    </message>
    <message>
      <source>Better or worse</source>
      <translation>Besser oder schlechter</translation>
    </message>
    <message>
      <source>Better: {0} % right, {1} % without learning.</source>
      <translation>Besser: {0} % richtig, {1} % ohne Lernen.</translation>
    </message>
    <message>
      <source>Blue</source>
      <translation>Blau</translation>
    </message>
    <message>
      <source>Boosted</source>
      <translation>Boosting</translation>
    </message>
    <message>
      <source>Boosted bits</source>
      <translation>Boosting-Bits</translation>
    </message>
    <message>
      <source>Boosted bits over a kernel</source>
      <translation>Boosting-Bits über einem Kern</translation>
    </message>
    <message>
      <source>Boosted bits that also keep together what looks alike</source>
      <translation>Boosting-Bits, die auch ähnlich aussehende Fotos zusammenhalten</translation>
    </message>
    <message>
      <source>Boosted bits with curved borders, in the space of a kernel</source>
      <translation>Boosting-Bits mit gekrümmten Grenzen, im Raum eines Kerns</translation>
    </message>
    <message>
      <source>Boosted bits, looks and meaning</source>
      <translation>Boosting-Bits, Aussehen und Bedeutung</translation>
    </message>
    <message>
      <source>Both photos are close to these</source>
      <translation>Beide Fotos sind diesen nahe</translation>
    </message>
    <message>
      <source>Both ways</source>
      <translation>In beide Richtungen</translation>
    </message>
    <message>
      <source>Box {0} of {1}</source>
      <translation>Rahmen {0} von {1}</translation>
    </message>
    <message>
      <source>Box {0} of {1}: {2}</source>
      <translation>Rahmen {0} von {1}: {2}</translation>
    </message>
    <message>
      <source>Boxes</source>
      <translation>Rahmen</translation>
    </message>
    <message>
      <source>Boxes instead of photos</source>
      <translation>Rahmen statt Fotos</translation>
    </message>
    <message>
      <source>Boxes instead of photos (Ask me next, Check tags, map)</source>
      <translation>Rahmen statt Fotos (Als Nächstes fragen, Schlagwörter prüfen, Karte)</translation>
    </message>
    <message>
      <source>Boxes of the photo</source>
      <translation>Rahmen des Fotos</translation>
    </message>
    <message>
      <source>Boxes that Focal suggests, like those you have drawn (Ctrl+Shift+B)</source>
      <translation>Rahmen, die Focal nach den gezeichneten vorschlägt (Strg+Umschalt+B)</translation>
    </message>
    <message>
      <source>Boxes: drag to draw, T names, Delete removes, Esc ends. B puts a box in the middle. Arrow keys move it, with Shift they resize it. Tab goes to the next box.</source>
      <translation>Rahmen: Ziehen zeichnet, T benennt, Entf entfernt, Esc beendet. B setzt einen Rahmen in die Mitte. Pfeiltasten verschieben ihn, mit Umschalt ändern sie seine Größe. Tab geht zum nächsten Rahmen.</translation>
    </message>
    <message>
      <source>Boxes: {0}, of which {1} around outlines or masks and {2} cut to the photo. Invalid boxes: {3}.</source>
      <translation>Rahmen: {0}, davon {1} um Umrisse oder Masken und {2} am Fotorand abgeschnitten. Ungültige Rahmen: {3}.</translation>
    </message>
    <message>
      <source>Browse</source>
      <translation>Stöbern</translation>
    </message>
    <message>
      <source>By date, the newest first</source>
      <translation>Nach Datum, neueste zuerst</translation>
    </message>
    <message>
      <source>By folder</source>
      <translation>Nach Ordner</translation>
    </message>
    <message>
      <source>By name</source>
      <translation>Nach Name</translation>
    </message>
    <message>
      <source>By rating, the best first</source>
      <translation>Nach Bewertung, beste zuerst</translation>
    </message>
    <message>
      <source>By size, the largest first</source>
      <translation>Nach Größe, größte zuerst</translation>
    </message>
    <message>
      <source>Byte {0} of it is not {1} text.</source>
      <translation>Ihr Byte {0} ist kein Text in {1}.</translation>
    </message>
    <message>
      <source>COCO</source>
      <translation>COCO</translation>
    </message>
    <message>
      <source>CSV</source>
      <translation>CSV</translation>
    </message>
    <message>
      <source>CSV (*.csv);;JSON Lines (*.jsonl)</source>
      <translation>CSV (*.csv);;JSON Lines (*.jsonl)</translation>
    </message>
    <message>
      <source>CVAT for images 1.1</source>
      <translation>CVAT für Bilder 1.1</translation>
    </message>
    <message>
      <source>Camera</source>
      <translation>Kamera</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
    <message>
      <source>Cancel (Esc)</source>
      <translation>Abbrechen (Esc)</translation>
    </message>
    <message>
      <source>Cancel the trial</source>
      <translation>Test abbrechen</translation>
    </message>
    <message>
      <source>Caution with few examples</source>
      <translation>Vorsicht bei wenigen Beispielen</translation>
    </message>
    <message>
      <source>Centre {0} %, undistorted</source>
      <translation>Mittlere {0} %, unverzerrt</translation>
    </message>
    <message>
      <source>Centre, undistorted</source>
      <translation>Mitte, unverzerrt</translation>
    </message>
    <message>
      <source>Certificate</source>
      <translation>Prüfbericht</translation>
    </message>
    <message>
      <source>Change tags of {0}: {1}</source>
      <translation>Schlagwörter von {0} ändern: {1}</translation>
    </message>
    <message>
      <source>Change the part (R)</source>
      <translation>Ausschnitt ändern (R)</translation>
    </message>
    <message>
      <source>Change to {0}</source>
      <translation>In {0} ändern</translation>
    </message>
    <message>
      <source>Changed in Focal and in a sidecar</source>
      <translation>In Focal und in einer Begleitdatei geändert</translation>
    </message>
    <message>
      <source>Changed on both sides: choose which to keep</source>
      <translation>Auf beiden Seiten geändert: Wählen Sie, welcher Wert gilt</translation>
    </message>
    <message>
      <source>Changed on both sides: choose which to keep ({0} stay unchanged)</source>
      <translation>Auf beiden Seiten geändert: Wählen Sie, welcher Wert gilt ({0} bleiben unverändert)</translation>
    </message>
    <message>
      <source>Changed: {0}.</source>
      <translation>Geändert: {0}.</translation>
    </message>
    <message>
      <source>Changed: {0}. Not in this library: {1} of the archive.</source>
      <translation>Geändert: {0}. Nicht in dieser Bibliothek: {1} des Archivs.</translation>
    </message>
    <message>
      <source>Changed: {0}. Undo reverts this in one step.</source>
      <translation>Geändert: {0}. „Rückgängig“ nimmt das in einem Schritt zurück.</translation>
    </message>
    <message>
      <source>Changing the metric</source>
      <translation>Metrik wird gewechselt</translation>
    </message>
    <message>
      <source>Changing the settings</source>
      <translation>Einstellungen werden geändert</translation>
    </message>
    <message>
      <source>Channels</source>
      <translation>Kanäle</translation>
    </message>
    <message>
      <source>Channels of scientific images</source>
      <translation>Kanäle wissenschaftlicher Bilder</translation>
    </message>
    <message>
      <source>Chapter</source>
      <translation>Kapitel</translation>
    </message>
    <message>
      <source>Chec&amp;k tags</source>
      <translation>Schlagwörter &amp;prüfen</translation>
    </message>
    <message numerus="yes">
      <source>Check %n more photos</source>
      <translation>
        <numerusform>Noch %n Foto prüfen</numerusform>
        <numerusform>Noch %n Fotos prüfen</numerusform>
      </translation>
    </message>
    <message>
      <source>Check a random sample to find out how good the tags are</source>
      <translation>Anhand einer Stichprobe prüfen, wie gut die Schlagwörter sind</translation>
    </message>
    <message>
      <source>Check again</source>
      <translation>Erneut prüfen</translation>
    </message>
    <message>
      <source>Check all</source>
      <translation>Alle auswählen</translation>
    </message>
    <message>
      <source>Check more photos</source>
      <translation>Weitere Fotos prüfen</translation>
    </message>
    <message>
      <source>Check tags</source>
      <translation>Schlagwörter prüfen</translation>
    </message>
    <message>
      <source>Checked every {0:.0f} s: {1}.</source>
      <translation>Alle {0:.0f} s durchsucht: {1}.</translation>
    </message>
    <message>
      <source>Checking boxes</source>
      <translation>Rahmen werden geprüft</translation>
    </message>
    <message>
      <source>Checking open suggestions</source>
      <translation>Offene Vorschläge werden geprüft</translation>
    </message>
    <message>
      <source>Checking tags</source>
      <translation>Schlagwörter werden geprüft</translation>
    </message>
    <message>
      <source>Checking the catalogue</source>
      <translation>Katalog wird geprüft</translation>
    </message>
    <message>
      <source>Checking the library</source>
      <translation>Bibliothek wird geprüft</translation>
    </message>
    <message>
      <source>Choose a file</source>
      <translation>Datei wählen</translation>
    </message>
    <message>
      <source>Choose a focal image first, or rank by several photos.</source>
      <translation>Wählen Sie zuerst ein Fokusbild, oder ordnen Sie nach mehreren Fotos.</translation>
    </message>
    <message>
      <source>Choose a focal image first: double-click a photo.</source>
      <translation>Wählen Sie zuerst ein Fokusbild: Doppelklicken Sie auf ein Foto.</translation>
    </message>
    <message>
      <source>Choose a focal image in Browse: it is ranked here by two metrics.</source>
      <translation>Wählen Sie unter „Stöbern“ ein Fokusbild: Hier sehen Sie seine Rangfolge nach zwei Metriken.</translation>
    </message>
    <message>
      <source>Choose a learner</source>
      <translation>Lernverfahren wählen</translation>
    </message>
    <message>
      <source>Choose a network</source>
      <translation>Netz wählen</translation>
    </message>
    <message>
      <source>Choose an empty folder for the new library</source>
      <translation>Leeren Ordner für die neue Bibliothek wählen</translation>
    </message>
    <message>
      <source>Choose another photo</source>
      <translation>Anderes Foto wählen</translation>
    </message>
    <message>
      <source>Choose one for me</source>
      <translation>Eines für mich wählen</translation>
    </message>
    <message>
      <source>Choose tags to import</source>
      <translation>Schlagwörter zum Importieren wählen</translation>
    </message>
    <message>
      <source>Choose the tags that Review asks about</source>
      <translation>Wählen, nach welchen Schlagwörtern die Durchsicht fragt</translation>
    </message>
    <message>
      <source>Choose…</source>
      <translation>Wählen…</translation>
    </message>
    <message>
      <source>Choosing a learner</source>
      <translation>Lernverfahren wird gewählt</translation>
    </message>
    <message>
      <source>Choosing tags for Review</source>
      <translation>Schlagwörter für die Durchsicht wählen</translation>
    </message>
    <message>
      <source>Choosing training photos</source>
      <translation>Trainingsfotos werden ausgewählt</translation>
    </message>
    <message>
      <source>Classics</source>
      <translation>Klassiker</translation>
    </message>
    <message>
      <source>Clear the field</source>
      <translation>Feld leeren</translation>
    </message>
    <message>
      <source>Click</source>
      <translation>Klick</translation>
    </message>
    <message>
      <source>Click a photo, then press S if it is similar to the focal image, or D if not.</source>
      <translation>Klicken Sie auf ein Foto, und drücken Sie S, wenn es dem Fokusbild ähnlich ist, sonst D.</translation>
    </message>
    <message>
      <source>Click or Space flips, a drag flips all that it touches</source>
      <translation>Klick oder Leertaste ändert die Antwort, Ziehen die aller berührten Fotos</translation>
    </message>
    <message>
      <source>Click or Space flips, a drag flips all that it touches. X rejects, E corrects the frame.</source>
      <translation>Klick oder Leertaste kehrt um, Ziehen alle berührten. X lehnt ab, E korrigiert den Rahmen.</translation>
    </message>
    <message>
      <source>Click or press a key to add a tag; type to find others. Enter continues.</source>
      <translation>Ein Klick oder eine Taste fügt ein Schlagwort hinzu, Buchstaben finden andere. Enter geht weiter.</translation>
    </message>
    <message>
      <source>Click to rank by this photo only, press Delete to remove it</source>
      <translation>Ein Klick ordnet nur nach diesem Foto, Entf entfernt es</translation>
    </message>
    <message>
      <source>Click to switch to the whole library (Ctrl+Shift+X)</source>
      <translation>Klicken Sie, um zur ganzen Bibliothek zu wechseln (Strg+Umschalt+X)</translation>
    </message>
    <message>
      <source>Click, drag or Space marks photos that should have the tag. Your tags are hidden and stay.</source>
      <translation>Klick, Ziehen oder Leertaste markiert Fotos, die das Schlagwort haben sollen. Ihre Schlagwörter sind verborgen und bleiben.</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
    <message>
      <source>Close the message</source>
      <translation>Meldung schließen</translation>
    </message>
    <message>
      <source>Close this hint</source>
      <translation>Diesen Hinweis schließen</translation>
    </message>
    <message>
      <source>Close to both: {0}</source>
      <translation>Beiden nahe: {0}</translation>
    </message>
    <message>
      <source>Closer than usual: {0}.</source>
      <translation>Näher als üblich: {0}.</translation>
    </message>
    <message>
      <source>Collapse or expand this section</source>
      <translation>Diesen Abschnitt ein- oder ausklappen</translation>
    </message>
    <message>
      <source>Collapse {0}</source>
      <translation>{0} einklappen</translation>
    </message>
    <message>
      <source>Colour</source>
      <translation>Farbe</translation>
    </message>
    <message>
      <source>Colour and texture; nothing learned</source>
      <translation>Farbe und Textur; nichts gelernt</translation>
    </message>
    <message>
      <source>Colour areas</source>
      <translation>Farbflächen</translation>
    </message>
    <message>
      <source>Colour areas, 60 components</source>
      <translation>Farbflächen, 60 Komponenten</translation>
    </message>
    <message>
      <source>Colour layout</source>
      <translation>Farbverteilung</translation>
    </message>
    <message>
      <source>Colour patches</source>
      <translation>Farbausschnitte</translation>
    </message>
    <message>
      <source>Colour patches, 24 components and place</source>
      <translation>Farbausschnitte, 24 Komponenten und Ort</translation>
    </message>
    <message>
      <source>Colours</source>
      <translation>Farben</translation>
    </message>
    <message>
      <source>Colours, 50 components</source>
      <translation>Farben, 50 Komponenten</translation>
    </message>
    <message>
      <source>Colours, edges and texture</source>
      <translation>Farben, Kanten und Textur</translation>
    </message>
    <message>
      <source>Command focal {0}</source>
      <translation>Befehl focal {0}</translation>
    </message>
    <message>
      <source>Compare</source>
      <translation>Vergleichen</translation>
    </message>
    <message>
      <source>Compare the two</source>
      <translation>Die beiden vergleichen</translation>
    </message>
    <message>
      <source>Compare two to four photos side by side (C)</source>
      <translation>Zwei bis vier Fotos nebeneinander vergleichen (C)</translation>
    </message>
    <message>
      <source>Compare with a library…</source>
      <translation>Mit einer Bibliothek vergleichen…</translation>
    </message>
    <message>
      <source>Compare with an archive…</source>
      <translation>Mit einem Archiv vergleichen…</translation>
    </message>
    <message>
      <source>Compare your tags with those of another person on the same photos.</source>
      <translation>Vergleichen Sie Ihre Schlagwörter mit denen einer anderen Person zu denselben Fotos.</translation>
    </message>
    <message>
      <source>Compare your tags with your own second opinion on a random sample</source>
      <translation>Vergleicht Ihre Schlagwörter mit Ihrem eigenen zweiten Urteil zu einer Zufallsstichprobe</translation>
    </message>
    <message>
      <source>Comparing</source>
      <translation>Vergleich läuft</translation>
    </message>
    <message>
      <source>Comparing metrics</source>
      <translation>Metriken werden verglichen</translation>
    </message>
    <message>
      <source>Comparing neighbourhoods</source>
      <translation>Nachbarschaften werden verglichen</translation>
    </message>
    <message>
      <source>Comparing new photos with tagged ones</source>
      <translation>Neue Fotos werden mit verschlagworteten verglichen</translation>
    </message>
    <message>
      <source>Comparing parts of photos</source>
      <translation>Teile von Fotos werden verglichen</translation>
    </message>
    <message>
      <source>Comparing patches</source>
      <translation>Ausschnitte werden verglichen</translation>
    </message>
    <message>
      <source>Comparing photos with rotated ones</source>
      <translation>Fotos mit gedrehten vergleichen</translation>
    </message>
    <message>
      <source>Comparing photos with the XMP files beside them.</source>
      <translation>Fotos werden mit den XMP-Dateien daneben verglichen.</translation>
    </message>
    <message>
      <source>Comparing tags</source>
      <translation>Schlagwörter werden verglichen</translation>
    </message>
    <message>
      <source>Comparing tags and judgements with similar photos…</source>
      <translation>Schlagwörter und Urteile werden mit ähnlichen Fotos verglichen…</translation>
    </message>
    <message>
      <source>Comparing tags with others</source>
      <translation>Schlagwörter werden mit anderen verglichen</translation>
    </message>
    <message>
      <source>Comparing tags…</source>
      <translation>Schlagwörter werden verglichen…</translation>
    </message>
    <message>
      <source>Comparing the boxes with each other…</source>
      <translation>Die Rahmen werden miteinander verglichen …</translation>
    </message>
    <message>
      <source>Comparing the copy</source>
      <translation>Kopie wird verglichen</translation>
    </message>
    <message>
      <source>Comparing the folders</source>
      <translation>Ordner werden verglichen</translation>
    </message>
    <message>
      <source>Comparing the patches…</source>
      <translation>Ausschnitte werden verglichen…</translation>
    </message>
    <message>
      <source>Comparing was stopped.</source>
      <translation>Der Vergleich wurde angehalten.</translation>
    </message>
    <message>
      <source>Comparing with sidecars</source>
      <translation>Vergleich mit Begleitdateien läuft</translation>
    </message>
    <message>
      <source>Comparing with the library…</source>
      <translation>Vergleich mit der Bibliothek läuft…</translation>
    </message>
    <message>
      <source>Comparing…</source>
      <translation>Vergleich läuft…</translation>
    </message>
    <message>
      <source>Confirm judgement</source>
      <translation>Urteil bestätigen</translation>
    </message>
    <message>
      <source>Confirm tag: {0}</source>
      <translation>Schlagwort bestätigen: {0}</translation>
    </message>
    <message>
      <source>Contents</source>
      <translation>Inhalt</translation>
    </message>
    <message>
      <source>Continue</source>
      <translation>Weiter</translation>
    </message>
    <message>
      <source>Continue with the next tag (Tab)</source>
      <translation>Mit dem nächsten Schlagwort weitermachen (Tab)</translation>
    </message>
    <message>
      <source>Continue with the photos that were drawn last</source>
      <translation>Mit den zuletzt gezogenen Fotos fortfahren</translation>
    </message>
    <message>
      <source>Continue with {0}</source>
      <translation>Weiter mit {0}</translation>
    </message>
    <message>
      <source>Continue with {0}: about {1} photos</source>
      <translation>Weiter mit {0}: etwa {1} Fotos</translation>
    </message>
    <message>
      <source>Continue without an answer (Tab)</source>
      <translation>Ohne Antwort weiter (Tab)</translation>
    </message>
    <message>
      <source>Copied to {0}: {1}.</source>
      <translation>Nach {0} kopiert: {1}.</translation>
    </message>
    <message>
      <source>Copy the &amp;path</source>
      <translation>&amp;Pfad kopieren</translation>
    </message>
    <message>
      <source>Copy the list</source>
      <translation>Liste kopieren</translation>
    </message>
    <message>
      <source>Copy the photos into a folder</source>
      <translation>Die Fotos in einen Ordner kopieren</translation>
    </message>
    <message>
      <source>Copying photos</source>
      <translation>Fotos werden kopiert</translation>
    </message>
    <message>
      <source>Copying the library</source>
      <translation>Bibliothek wird kopiert</translation>
    </message>
    <message>
      <source>Correct</source>
      <translation>Richtig</translation>
    </message>
    <message>
      <source>Correct the frame (E)</source>
      <translation>Rahmen korrigieren (E)</translation>
    </message>
    <message>
      <source>Correct the frame of the current box</source>
      <translation>Den aktuellen Rahmen korrigieren</translation>
    </message>
    <message>
      <source>Correcting a tag</source>
      <translation>Schlagwort wird berichtigt</translation>
    </message>
    <message>
      <source>Cropped to squares</source>
      <translation>Quadratisch beschnitten</translation>
    </message>
    <message>
      <source>Ctrl+Click</source>
      <translation>Strg+Klick</translation>
    </message>
    <message>
      <source>Ctrl+G suggests tags for the selected photos, or for all untagged ones.</source>
      <translation>Strg+G schlägt Schlagwörter für die ausgewählten Fotos vor, sonst für alle ohne Schlagwort.</translation>
    </message>
    <message>
      <source>Ctrl+Wheel</source>
      <translation>Strg+Mausrad</translation>
    </message>
    <message>
      <source>Cul&amp;ling</source>
      <translation>Aus&amp;lese</translation>
    </message>
    <message>
      <source>Culling</source>
      <translation>Auslese</translation>
    </message>
    <message>
      <source>Culling: 1 to 5 stars, P picks, X rejects, U clears. Bursts are stacked: Shift+P keeps the best, B expands.</source>
      <translation>Auslese: 1 bis 5 Sterne, P behält, X verwirft, U löscht. Serien sind gestapelt: Umschalt+P behält das beste Foto, B klappt auf.</translation>
    </message>
    <message>
      <source>Current focal image</source>
      <translation>Aktuelles Fokusbild</translation>
    </message>
    <message>
      <source>Current part</source>
      <translation>Aktueller Ausschnitt</translation>
    </message>
    <message>
      <source>DCA</source>
      <translation>DCA</translation>
    </message>
    <message>
      <source>DICOM files need pydicom: run {0} in Focal's checkout.</source>
      <translation>DICOM-Dateien brauchen pydicom: Führen Sie {0} in Focals Quelltextordner aus.</translation>
    </message>
    <message>
      <source>Dark</source>
      <translation>Dunkel</translation>
    </message>
    <message>
      <source>Dask is not installed: {0}.</source>
      <translation>Dask ist nicht installiert: {0}.</translation>
    </message>
    <message>
      <source>Data sets of other programs</source>
      <translation>Datensätze anderer Programme</translation>
    </message>
    <message>
      <source>Date</source>
      <translation>Datum</translation>
    </message>
    <message>
      <source>Decoding it ended the process (out of memory, or the decoder crashed).</source>
      <translation>Beim Dekodieren endete der Prozess (zu wenig Speicher oder ein Absturz des Decoders).</translation>
    </message>
    <message>
      <source>Default</source>
      <translation>Vorgabe</translation>
    </message>
    <message>
      <source>Delete</source>
      <translation>Löschen</translation>
    </message>
    <message>
      <source>Delete a tag</source>
      <translation>Schlagwort löschen</translation>
    </message>
    <message>
      <source>Delete metric: {0}</source>
      <translation>Metrik löschen: {0}</translation>
    </message>
    <message>
      <source>Delete search: {0}</source>
      <translation>Suche löschen: {0}</translation>
    </message>
    <message>
      <source>Delete searches: {0}</source>
      <translation>Suchen löschen: {0}</translation>
    </message>
    <message>
      <source>Delete tag: {0}</source>
      <translation>Schlagwort löschen: {0}</translation>
    </message>
    <message>
      <source>Delete tags: {0}</source>
      <translation>Schlagwörter löschen: {0}</translation>
    </message>
    <message>
      <source>Delete the box (Del)</source>
      <translation>Rahmen löschen (Entf)</translation>
    </message>
    <message>
      <source>Delete the other boxes of the same photo</source>
      <translation>Die anderen Rahmen desselben Fotos löschen</translation>
    </message>
    <message>
      <source>Delete the other boxes of the same photo (Del). Boxes of other photos stay, and files unchanged.</source>
      <translation>Die anderen Rahmen desselben Fotos löschen (Entf). Rahmen anderer Fotos bleiben, und Dateien bleiben unverändert.</translation>
    </message>
    <message>
      <source>Delete the others</source>
      <translation>Die anderen löschen</translation>
    </message>
    <message>
      <source>Delete the tag</source>
      <translation>Schlagwort löschen</translation>
    </message>
    <message>
      <source>Delete trail: {0}</source>
      <translation>Spur löschen: {0}</translation>
    </message>
    <message>
      <source>Delete {0} metrics</source>
      <translation>{0} Metriken löschen</translation>
    </message>
    <message>
      <source>Delete…</source>
      <translation>Löschen…</translation>
    </message>
    <message>
      <source>Deleting a search</source>
      <translation>Suche wird gelöscht</translation>
    </message>
    <message>
      <source>Deleting a tag</source>
      <translation>Schlagwort wird gelöscht</translation>
    </message>
    <message>
      <source>Deleting a trail</source>
      <translation>Spur wird gelöscht</translation>
    </message>
    <message>
      <source>Deleting the metric</source>
      <translation>Metrik wird gelöscht</translation>
    </message>
    <message>
      <source>Deleting the old library</source>
      <translation>Alte Bibliothek wird gelöscht</translation>
    </message>
    <message>
      <source>Dense SIFT, Fisher vector</source>
      <translation>Dichtes SIFT, Fisher-Vektor</translation>
    </message>
    <message>
      <source>Dense SIFT, salient points</source>
      <translation>Dichtes SIFT, auffällige Punkte</translation>
    </message>
    <message>
      <source>Dense SIFT, signs</source>
      <translation>Dichtes SIFT, Vorzeichen</translation>
    </message>
    <message>
      <source>Dense colour, Fisher vector</source>
      <translation>Dichte Farbe, Fisher-Vektor</translation>
    </message>
    <message>
      <source>Dense colour, salient points</source>
      <translation>Dichte Farbe, auffällige Punkte</translation>
    </message>
    <message>
      <source>Dense colour, signs</source>
      <translation>Dichte Farbe, Vorzeichen</translation>
    </message>
    <message>
      <source>Describing boxes</source>
      <translation>Rahmen werden beschrieben</translation>
    </message>
    <message>
      <source>Describing photos</source>
      <translation>Fotos werden beschrieben</translation>
    </message>
    <message>
      <source>Describing photos by {0}</source>
      <translation>Fotos werden beschrieben: {0}</translation>
    </message>
    <message>
      <source>Describing photos for a metric</source>
      <translation>Fotos werden für eine Metrik beschrieben</translation>
    </message>
    <message>
      <source>Descriptor</source>
      <translation>Deskriptor</translation>
    </message>
    <message>
      <source>Descriptors</source>
      <translation>Deskriptoren</translation>
    </message>
    <message>
      <source>Descriptors that are switched on</source>
      <translation>Eingeschaltete Deskriptoren</translation>
    </message>
    <message>
      <source>Differ</source>
      <translation>Verschieden</translation>
    </message>
    <message>
      <source>Different photos</source>
      <translation>Verschiedene Fotos</translation>
    </message>
    <message>
      <source>Direction</source>
      <translation>Richtung</translation>
    </message>
    <message>
      <source>Disagreements</source>
      <translation>Abweichungen</translation>
    </message>
    <message>
      <source>Discard</source>
      <translation>Verwerfen</translation>
    </message>
    <message>
      <source>Discriminative component analysis: also pulls groups known to differ apart</source>
      <translation>Diskriminative Komponentenanalyse: zieht auch Gruppen auseinander, die als verschieden bekannt sind</translation>
    </message>
    <message>
      <source>Display name:</source>
      <translation>Anzeigename:</translation>
    </message>
    <message>
      <source>Display windows of scientific images</source>
      <translation>Anzeigefenster wissenschaftlicher Bilder</translation>
    </message>
    <message>
      <source>DistBoost</source>
      <translation>DistBoost</translation>
    </message>
    <message>
      <source>Distance of similar photos relative to dissimilar ones after each batch</source>
      <translation>Abstand ähnlicher Fotos gegenüber unähnlichen nach jedem Schritt</translation>
    </message>
    <message>
      <source>Distance {0:.3f}</source>
      <translation>Abstand {0:.3f}</translation>
    </message>
    <message>
      <source>Done: all photos have the active descriptors.</source>
      <translation>Fertig: Alle Fotos haben die eingeschalteten Deskriptoren.</translation>
    </message>
    <message>
      <source>Double click</source>
      <translation>Doppelklick</translation>
    </message>
    <message>
      <source>Double-click a judgement to rank by its focal image.</source>
      <translation>Ein Doppelklick auf ein Urteil ordnet nach dessen Fokusbild.</translation>
    </message>
    <message>
      <source>Double-click a photo first: heat map and matching patches need a focal image.</source>
      <translation>Doppelklicken Sie zuerst auf ein Foto: Wärmekarte und passende Ausschnitte brauchen ein Fokusbild.</translation>
    </message>
    <message>
      <source>Double-click a photo: all others are ranked by how similar they are to it.</source>
      <translation>Doppelklicken Sie auf ein Foto: Alle anderen werden nach der Ähnlichkeit mit ihm geordnet.</translation>
    </message>
    <message>
      <source>Double-click a photo: all others are ranked by it.
Mark photos as similar, and the ranking learns.</source>
      <translation>Doppelklicken Sie auf ein Foto: Alle anderen werden danach geordnet.
Markieren Sie ähnliche Fotos, und die Rangfolge lernt daraus.</translation>
    </message>
    <message>
      <source>Double-click or Enter: set as focal image. Alt+Left: back. G: back to the folders.</source>
      <translation>Doppelklick oder Enter: zum Fokusbild machen. Alt+Links: zurück. G: zurück zu den Ordnern.</translation>
    </message>
    <message>
      <source>Double-click the photo to compare with first: it becomes the focal image.</source>
      <translation>Doppelklicken Sie zuerst auf das Foto, mit dem verglichen wird: Es wird zum Fokusbild.</translation>
    </message>
    <message>
      <source>Drag a box around the part to search for. By keys: the arrows move the box, with Shift they resize it. Enter searches, Esc ends.</source>
      <translation>Ziehen Sie einen Rahmen um den gesuchten Ausschnitt. Mit Tasten: Die Pfeiltasten verschieben den Rahmen, mit Umschalt ändern sie seine Größe. Enter sucht, Esc beendet.</translation>
    </message>
    <message>
      <source>Drag a box to search by another part</source>
      <translation>Ziehen Sie einen Rahmen, um mit einem anderen Ausschnitt zu suchen</translation>
    </message>
    <message>
      <source>Drag a corner. Drag inside to move the frame. By keys: the arrows move it, with Shift they resize it. Enter accepts the box with this frame.</source>
      <translation>Ziehen Sie eine Ecke. Ziehen im Rahmen verschiebt ihn. Mit Tasten: Pfeile verschieben ihn, mit Umschalt ändern sie seine Größe. Enter nimmt den Rahmen so an.</translation>
    </message>
    <message>
      <source>Drag to move, wheel to zoom, Shift+drag to select. Double-click or Enter: search by the box.</source>
      <translation>Ziehen verschiebt, das Rad vergrößert, Umschalt+Ziehen wählt aus. Doppelklick oder Enter: nach dem Rahmen suchen.</translation>
    </message>
    <message>
      <source>Drag to move, wheel to zoom, Shift+drag to select. Double-click or Enter: set as focal image.</source>
      <translation>Ziehen verschiebt, Mausrad vergrößert, Umschalt+Ziehen wählt aus. Doppelklick oder Enter: zum Fokusbild machen.</translation>
    </message>
    <message>
      <source>Drag with the right button to turn. {0}</source>
      <translation>Ziehen mit der rechten Taste dreht. {0}</translation>
    </message>
    <message>
      <source>Draw around photos to select them (L, or Shift+drag)</source>
      <translation>Fotos mit dem Lasso auswählen (L oder Umschalt+Ziehen)</translation>
    </message>
    <message>
      <source>Draw {0}</source>
      <translation>{0} zeichnen</translation>
    </message>
    <message>
      <source>Draw {0}: {1}</source>
      <translation>{0} zeichnen: {1}</translation>
    </message>
    <message>
      <source>Drawing a box</source>
      <translation>Zeichnen eines Rahmens</translation>
    </message>
    <message>
      <source>Drawing photos for an audit</source>
      <translation>Fotos für eine Prüfung werden gezogen</translation>
    </message>
    <message>
      <source>Drawing photos to audit</source>
      <translation>Fotos für die Prüfung werden gezogen</translation>
    </message>
    <message>
      <source>Drawing the demo album</source>
      <translation>Beispielalbum wird gezeichnet</translation>
    </message>
    <message>
      <source>Drop to find photos like these</source>
      <translation>Loslassen, um Fotos wie diese zu finden</translation>
    </message>
    <message>
      <source>Drop to find photos like this one</source>
      <translation>Loslassen, um Fotos wie dieses zu finden</translation>
    </message>
    <message>
      <source>Drop to look for photos like these too</source>
      <translation>Loslassen, um auch nach Fotos wie diesen zu suchen</translation>
    </message>
    <message>
      <source>Drop to look for photos like this one too</source>
      <translation>Loslassen, um auch nach Fotos wie diesem zu suchen</translation>
    </message>
    <message>
      <source>Drop to open it</source>
      <translation>Loslassen, um es zu öffnen</translation>
    </message>
    <message>
      <source>Dropped image</source>
      <translation>Abgelegtes Bild</translation>
    </message>
    <message>
      <source>Duplicates</source>
      <translation>Duplikate</translation>
    </message>
    <message>
      <source>Duplicates of</source>
      <translation>Duplikate von</translation>
    </message>
    <message>
      <source>Duplicates, versions and bursts (Ctrl+D)</source>
      <translation>Duplikate, Fassungen und Serien (Strg+D)</translation>
    </message>
    <message>
      <source>During Review a metric is trained in the background each time the number of tagged photos has grown by half.</source>
      <translation>Während der Durchsicht wird im Hintergrund eine Metrik trainiert, sooft die Zahl der verschlagworteten Fotos um die Hälfte gewachsen ist.</translation>
    </message>
    <message>
      <source>E&amp;xpand or collapse duplicates</source>
      <translation>&amp;Duplikate auf- oder zuklappen</translation>
    </message>
    <message>
      <source>Each bar shows how the distance changes without that feature.</source>
      <translation>Jeder Balken zeigt, wie sich der Abstand ohne dieses Merkmal ändert.</translation>
    </message>
    <message>
      <source>Each learner in the history is tested by three-fold cross-validation: it is trained without some photos and judgements, then tested on these. This takes seconds to minutes.</source>
      <translation>Jedes Lernverfahren im Verlauf wird dreifach kreuzvalidiert: Es lernt ohne einen Teil der Fotos und Urteile und wird an diesem geprüft. Das dauert Sekunden bis Minuten.</translation>
    </message>
    <message>
      <source>Each photo has a similar one among them: a good start for tagging.</source>
      <translation>Jedes Foto hat ein ähnliches unter ihnen: ein guter Anfang zum Verschlagworten.</translation>
    </message>
    <message>
      <source>Each photo is as different as possible from those chosen before.</source>
      <translation>Jedes Foto ist möglichst verschieden von den zuvor gewählten.</translation>
    </message>
    <message>
      <source>Each similar pair should be nearer than each dissimilar one</source>
      <translation>Jedes ähnliche Paar soll näher beisammen sein als jedes unähnliche</translation>
    </message>
    <message>
      <source>Edge directions</source>
      <translation>Kantenrichtungen</translation>
    </message>
    <message>
      <source>Edge directions, 37 components</source>
      <translation>Kantenrichtungen, 37 Komponenten</translation>
    </message>
    <message>
      <source>End</source>
      <translation>Beenden</translation>
    </message>
    <message>
      <source>End culling (K)</source>
      <translation>Auslese beenden (K)</translation>
    </message>
    <message>
      <source>End of the slideshow.</source>
      <translation>Ende der Diaschau.</translation>
    </message>
    <message>
      <source>Enter</source>
      <translation>Enter</translation>
    </message>
    <message>
      <source>Enter ranks the photos by this text. Needs an image-and-text network: Settings, Networks.</source>
      <translation>Enter ordnet die Fotos nach diesem Text. Nötig ist ein Netz für Bilder und Texte: Einstellungen, Netze.</translation>
    </message>
    <message>
      <source>Enter, or add the last tag with the middle button or Ctrl+click</source>
      <translation>Enter; oder vergeben Sie das letzte Schlagwort mit der mittleren Maustaste oder mit Strg+Klick</translation>
    </message>
    <message>
      <source>Enter, or end with a middle-button or Ctrl click or drag, which also saves the answers</source>
      <translation>Enter; oder führen Sie den letzten Klick oder das letzte Ziehen mit der mittleren Maustaste oder mit Strg aus: Auch das speichert die Antworten</translation>
    </message>
    <message>
      <source>Enter: {0}, or type a name</source>
      <translation>Enter: {0}, oder Namen eingeben</translation>
    </message>
    <message>
      <source>Euclidean</source>
      <translation>Euklidisch</translation>
    </message>
    <message>
      <source>Euclidean (nothing learned)</source>
      <translation>Euklidisch (nichts gelernt)</translation>
    </message>
    <message>
      <source>Evaluating</source>
      <translation>Auswertung läuft</translation>
    </message>
    <message>
      <source>Every family alike; nothing is learned from you</source>
      <translation>Alle Merkmalsfamilien gleich gewichtet; von Ihnen wird nichts gelernt</translation>
    </message>
    <message>
      <source>Every family, those that rank better a little more</source>
      <translation>Alle Merkmalsfamilien, besser ordnende etwas stärker gewichtet</translation>
    </message>
    <message>
      <source>Every photo has a tag.</source>
      <translation>Jedes Foto hat ein Schlagwort.</translation>
    </message>
    <message>
      <source>Every photo has a tag. Focal can suggest more tags for selected photos (Ctrl+G).</source>
      <translation>Jedes Foto hat ein Schlagwort. Für ausgewählte Fotos kann Focal weitere vorschlagen (Strg+G).</translation>
    </message>
    <message>
      <source>Every photo has its own distance, which shows the parts of it that matter</source>
      <translation>Jedes Foto hat seinen eigenen Abstand, der zeigt, welche seiner Teile wichtig sind</translation>
    </message>
    <message>
      <source>Every photo here has a tag.</source>
      <translation>Hier hat jedes Foto ein Schlagwort.</translation>
    </message>
    <message>
      <source>Every photo shown here has a tag.</source>
      <translation>Jedes hier gezeigte Foto hat ein Schlagwort.</translation>
    </message>
    <message>
      <source>Every trained metric stays in this list. Rename one to keep it as a lens beside Retrain. “Correct” is the share of right photos among the first ten, measured on held-out photos. “Better or worse” compares this share with the untrained distance (95 % interval).</source>
      <translation>Jede trainierte Metrik bleibt in dieser Liste. Wenn Sie eine umbenennen, wird sie zum Blickwinkel neben „Neu trainieren“. „Richtig“ ist der Anteil richtiger Fotos unter den ersten zehn, gemessen an zurückgehaltenen Fotos. „Besser oder schlechter“ vergleicht ihn mit dem untrainierten Abstand (95-%-Intervall).</translation>
    </message>
    <message>
      <source>Examples</source>
      <translation>Beispiele</translation>
    </message>
    <message>
      <source>Exchange with sidecars</source>
      <translation>Austausch mit Begleitdateien</translation>
    </message>
    <message>
      <source>Expand {0}</source>
      <translation>{0} ausklappen</translation>
    </message>
    <message>
      <source>Explaining this distance…</source>
      <translation>Dieser Abstand wird erklärt…</translation>
    </message>
    <message>
      <source>Export a &amp;table of the selected photos…</source>
      <translation>&amp;Tabelle der ausgewählten Fotos exportieren…</translation>
    </message>
    <message>
      <source>Export a data set</source>
      <translation>Datensatz exportieren</translation>
    </message>
    <message>
      <source>Export copies of the selected &amp;photos…</source>
      <translation>Kopien der ausgewählten F&amp;otos exportieren…</translation>
    </message>
    <message>
      <source>Export metadata of the photos</source>
      <translation>Metadaten der Fotos exportieren</translation>
    </message>
    <message>
      <source>Export the certificate</source>
      <translation>Prüfbericht exportieren</translation>
    </message>
    <message>
      <source>Export the figures</source>
      <translation>Zahlen exportieren</translation>
    </message>
    <message>
      <source>Export the figures…</source>
      <translation>Zahlen exportieren…</translation>
    </message>
    <message>
      <source>Export writes the photos that the filter shows, with their tags. Import adds the tags of a data set to photos of this library in one undo step; nothing is removed.</source>
      <translation>„Exportieren“ schreibt die Fotos, die der Filter zeigt, mit ihren Schlagwörtern. „Importieren“ fügt Fotos dieser Bibliothek die Schlagwörter eines Datensatzes hinzu. Nichts wird entfernt, und ein einziges „Rückgängig“ nimmt den Import zurück.</translation>
    </message>
    <message>
      <source>Exporting</source>
      <translation>Export läuft</translation>
    </message>
    <message>
      <source>Exporting a data set</source>
      <translation>Datensatz wird exportiert</translation>
    </message>
    <message>
      <source>Export…</source>
      <translation>Exportieren…</translation>
    </message>
    <message>
      <source>Exposure</source>
      <translation>Belichtung</translation>
    </message>
    <message>
      <source>Families of features</source>
      <translation>Merkmalsfamilien</translation>
    </message>
    <message>
      <source>Fewer than two {0} have more than {1} described photos each: {2}, or learn from fewer.</source>
      <translation>Weniger als zwei {0} haben je mehr als {1} beschriebene Fotos: {2}, oder lernen Sie aus weniger.</translation>
    </message>
    <message>
      <source>FiftyOne image classification</source>
      <translation>FiftyOne-Bildklassifikation</translation>
    </message>
    <message>
      <source>FiftyOne image detection</source>
      <translation>FiftyOne-Objekterkennung</translation>
    </message>
    <message>
      <source>File</source>
      <translation>Datei</translation>
    </message>
    <message>
      <source>File for texts</source>
      <translation>Datei für Texte</translation>
    </message>
    <message>
      <source>Files and folders that could not be read: {0}.</source>
      <translation>Nicht lesbare Dateien und Ordner: {0}.</translation>
    </message>
    <message>
      <source>Files beyond these limits are skipped and listed with the reason, so that they do not delay the others. If you raise a limit, they are read again.</source>
      <translation>Dateien jenseits dieser Grenzen werden übersprungen und mit dem Grund aufgeführt, damit sie die anderen nicht aufhalten. Wenn Sie eine Grenze erhöhen, liest Focal sie noch einmal.</translation>
    </message>
    <message>
      <source>Files that could not be &amp;read…</source>
      <translation>&amp;Unlesbare Dateien…</translation>
    </message>
    <message>
      <source>Files with problems</source>
      <translation>Dateien mit Problemen</translation>
    </message>
    <message>
      <source>Filter</source>
      <translation>Filter</translation>
    </message>
    <message>
      <source>Filter (Ctrl+F)</source>
      <translation>Filter (Strg+F)</translation>
    </message>
    <message>
      <source>Find (Ctrl+F)</source>
      <translation>Suchen (Strg+F)</translation>
    </message>
    <message>
      <source>Find a tag</source>
      <translation>Schlagwort suchen</translation>
    </message>
    <message>
      <source>Find in folders</source>
      <translation>In Ordnern suchen</translation>
    </message>
    <message>
      <source>Find in saved searches</source>
      <translation>In gespeicherten Suchen suchen</translation>
    </message>
    <message>
      <source>Find in tags</source>
      <translation>In Schlagwörtern suchen</translation>
    </message>
    <message>
      <source>Find in the guide</source>
      <translation>Im Handbuch suchen</translation>
    </message>
    <message>
      <source>Finding the next question</source>
      <translation>Nächste Frage wird gesucht</translation>
    </message>
    <message>
      <source>Finds yes-or-no questions about photos whose answers agree where photos are similar</source>
      <translation>Findet Ja-Nein-Fragen zu Fotos, deren Antworten übereinstimmen, wo sich Fotos ähnlich sind</translation>
    </message>
    <message>
      <source>Fine patterns</source>
      <translation>Feine Muster</translation>
    </message>
    <message>
      <source>Fine patterns, 50 components</source>
      <translation>Feine Muster, 50 Komponenten</translation>
    </message>
    <message>
      <source>Finish this tag</source>
      <translation>Schlagwort abschließen</translation>
    </message>
    <message>
      <source>First steps</source>
      <translation>Erste Schritte</translation>
    </message>
    <message>
      <source>Fisher vectors</source>
      <translation>Fisher-Vektoren</translation>
    </message>
    <message>
      <source>Fitted to your photos at the next indexing</source>
      <translation>Wird beim nächsten Einlesen an Ihre Fotos angepasst</translation>
    </message>
    <message>
      <source>Fo&amp;lders</source>
      <translation>&amp;Ordner</translation>
    </message>
    <message>
      <source>Focal cannot decode this variety of the format: save the image as JPEG or PNG.</source>
      <translation>Focal kann diese Variante des Formats nicht lesen: Speichern Sie das Bild als JPEG oder PNG.</translation>
    </message>
    <message>
      <source>Focal cannot describe it (values that are not finite).</source>
      <translation>Focal kann es nicht beschreiben (Werte, die nicht endlich sind).</translation>
    </message>
    <message>
      <source>Focal cannot describe it ({0}: {1}).</source>
      <translation>Focal kann es nicht beschreiben ({0}: {1}).</translation>
    </message>
    <message>
      <source>Focal does not download anything: copy the picture itself and paste it here.</source>
      <translation>Focal lädt nichts herunter: Kopieren Sie das Bild selbst, und fügen Sie es hier ein.</translation>
    </message>
    <message>
      <source>Focal for all</source>
      <translation>Focal für alle</translation>
    </message>
    <message>
      <source>Focal has a descriptor {0} itself: give this one another name.</source>
      <translation>Focal hat selbst einen Deskriptor {0}: Geben Sie diesem einen anderen Namen.</translation>
    </message>
    <message>
      <source>Focal has a format {0} itself: give this one another name.</source>
      <translation>Focal hat selbst ein Format {0}: Geben Sie diesem einen anderen Namen.</translation>
    </message>
    <message>
      <source>Focal has a learner {0} itself: give this one another name.</source>
      <translation>Focal hat selbst ein Lernverfahren {0}: Geben Sie diesem einen anderen Namen.</translation>
    </message>
    <message>
      <source>Focal image</source>
      <translation>Fokusbild</translation>
    </message>
    <message>
      <source>Focal images per round</source>
      <translation>Fokusbilder je Runde</translation>
    </message>
    <message>
      <source>Focal makes a backup every hour if something changed. Backups contain tags, ratings, judgements, settings, the undo history (10,000 steps) and metrics, but no photos.</source>
      <translation>Focal legt stündlich eine Sicherung an, wenn sich etwas geändert hat. Sicherungen enthalten Schlagwörter, Bewertungen, Urteile, Einstellungen, Metriken und die letzten 10.000 Schritte für „Rückgängig“, aber keine Fotos.</translation>
    </message>
    <message>
      <source>Focal may not read this file: change its permissions.</source>
      <translation>Focal darf diese Datei nicht lesen: Ändern Sie ihre Zugriffsrechte.</translation>
    </message>
    <message>
      <source>Focal may not read this folder: change its permissions.</source>
      <translation>Focal darf diesen Ordner nicht lesen: Ändern Sie seine Zugriffsrechte.</translation>
    </message>
    <message>
      <source>Focal shows photos drawn at random for each tag. You mark which should have it: most need only Enter. Then Focal estimates how many tags are right and how many photos lack the tag.</source>
      <translation>Focal zeigt zu jedem Schlagwort zufällig gezogene Fotos. Sie markieren, welche es tragen sollen: Meist genügt Enter. Dann schätzt Focal, wie viele Schlagwörter richtig sind und wie vielen Fotos das Schlagwort fehlt.</translation>
    </message>
    <message>
      <source>Focal {0}

A photo browser that learns your own notion of similar.
Everything runs on this machine; your photos are never changed.

Library: {1}</source>
      <translation>Focal {0}

Ein Fotobetrachter, der lernt, was für Sie ähnlich ist.
Alles läuft auf diesem Rechner; Ihre Fotos werden nie verändert.

Bibliothek: {1}</translation>
    </message>
    <message>
      <source>Folder</source>
      <translation>Ordner</translation>
    </message>
    <message>
      <source>Folder not found</source>
      <translation>Ordner nicht gefunden</translation>
    </message>
    <message>
      <source>Folder not found: connect its drive</source>
      <translation>Ordner nicht gefunden: Schließen Sie das Laufwerk an</translation>
    </message>
    <message>
      <source>Folder of the library</source>
      <translation>Ordner der Bibliothek</translation>
    </message>
    <message>
      <source>Folder to search for missing photos</source>
      <translation>Ordner, in dem fehlende Fotos gesucht werden</translation>
    </message>
    <message>
      <source>Folder with a Python script for programs without Focal (*)</source>
      <translation>Ordner mit einem Python-Skript für Programme ohne Focal (*)</translation>
    </message>
    <message>
      <source>Folder with a folder of photos for each tag</source>
      <translation>Ordner mit einem Ordner von Fotos für jedes Schlagwort</translation>
    </message>
    <message>
      <source>Folder with an ONNX file for programs without Focal (*)</source>
      <translation>Ordner mit einer ONNX-Datei für Programme ohne Focal (*)</translation>
    </message>
    <message>
      <source>Folders</source>
      <translation>Ordner</translation>
    </message>
    <message>
      <source>Folders on network drives</source>
      <translation>Ordner auf Netzlaufwerken</translation>
    </message>
    <message>
      <source>Folders without a choice yet</source>
      <translation>Ordner noch ohne Auswahl</translation>
    </message>
    <message>
      <source>Follow system</source>
      <translation>Wie das System</translation>
    </message>
    <message>
      <source>For comparison</source>
      <translation>Zum Vergleich</translation>
    </message>
    <message>
      <source>For each library. Takes effect after restarting.</source>
      <translation>Für jede Bibliothek. Gilt nach einem Neustart.</translation>
    </message>
    <message>
      <source>For metrics learned from tags, suggestions use the untrained metric.</source>
      <translation>Bei Metriken aus Schlagwörtern nutzen Vorschläge die untrainierte Metrik.</translation>
    </message>
    <message>
      <source>For texts</source>
      <translation>Für Texte</translation>
    </message>
    <message>
      <source>For the selected photos, or for all untagged ones (Ctrl+G)</source>
      <translation>Für die ausgewählten Fotos, sonst für alle ohne Schlagwort (Strg+G)</translation>
    </message>
    <message>
      <source>Forget</source>
      <translation>Vergessen</translation>
    </message>
    <message>
      <source>Forget 1 missing photo</source>
      <translation>1 fehlendes Foto vergessen</translation>
    </message>
    <message>
      <source>Forget missing photos</source>
      <translation>Fehlende Fotos vergessen</translation>
    </message>
    <message>
      <source>Forget the selected…</source>
      <translation>Ausgewählte vergessen…</translation>
    </message>
    <message>
      <source>Forget this missing photo?</source>
      <translation>Dieses fehlende Foto vergessen?</translation>
    </message>
    <message>
      <source>Forget {0} missing photos</source>
      <translation>{0} fehlende Fotos vergessen</translation>
    </message>
    <message>
      <source>Forget {0} missing photos?</source>
      <translation>{0} fehlende Fotos vergessen?</translation>
    </message>
    <message>
      <source>Forgetting missing photos</source>
      <translation>Fehlende Fotos werden vergessen</translation>
    </message>
    <message>
      <source>Format</source>
      <translation>Format</translation>
    </message>
    <message>
      <source>Forward (Alt+Right)</source>
      <translation>Vorwärts (Alt+Rechts)</translation>
    </message>
    <message numerus="yes">
      <source>Found %n tags in {0}</source>
      <translation>
        <numerusform>%n Schlagwort in {0} gefunden</numerusform>
        <numerusform>%n Schlagwörter in {0} gefunden</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Found %n tags in {0}.</source>
      <translation>
        <numerusform>%n Schlagwort in {0} gefunden.</numerusform>
        <numerusform>%n Schlagwörter in {0} gefunden.</numerusform>
      </translation>
    </message>
    <message>
      <source>Found automatically: it contains most of the photos.</source>
      <translation>Automatisch gefunden: Die meisten Fotos sind dort.</translation>
    </message>
    <message>
      <source>Found, of all</source>
      <translation>Gefunden, von allen</translation>
    </message>
    <message>
      <source>From a folder…</source>
      <translation>Aus einem Ordner…</translation>
    </message>
    <message>
      <source>From a list…</source>
      <translation>Aus einer Liste…</translation>
    </message>
    <message>
      <source>From an older metric.</source>
      <translation>Von einer älteren Metrik.</translation>
    </message>
    <message>
      <source>From photo to photo</source>
      <translation>Von Foto zu Foto</translation>
    </message>
    <message>
      <source>Full size</source>
      <translation>Volle Größe</translation>
    </message>
    <message>
      <source>GMML</source>
      <translation>GMML</translation>
    </message>
    <message>
      <source>General</source>
      <translation>Allgemein</translation>
    </message>
    <message>
      <source>Geometric mean of the scatters of similar and dissimilar photos</source>
      <translation>Geometrisches Mittel der Streuungen ähnlicher und unähnlicher Fotos</translation>
    </message>
    <message>
      <source>Give all boxes of the group the name of the kept one (M)</source>
      <translation>Allen Rahmen der Gruppe den Namen des behaltenen geben (M)</translation>
    </message>
    <message>
      <source>Give the kept photo the tags, rating and judgements of the others, then reject these (M)</source>
      <translation>Dem behaltenen Foto Schlagwörter, Bewertung und Urteile der anderen geben und diese verwerfen (M)</translation>
    </message>
    <message>
      <source>Give the other boxes the name of the kept one</source>
      <translation>Den anderen Rahmen den Namen des behaltenen geben</translation>
    </message>
    <message>
      <source>Go b&amp;ack</source>
      <translation>Z&amp;urückgehen</translation>
    </message>
    <message>
      <source>Go back to a &amp;backup</source>
      <translation>Zu einer &amp;Sicherung zurückkehren</translation>
    </message>
    <message>
      <source>Go back to “{0}”</source>
      <translation>Zurück zu „{0}“</translation>
    </message>
    <message>
      <source>Goal</source>
      <translation>Ziel</translation>
    </message>
    <message>
      <source>Green</source>
      <translation>Grün</translation>
    </message>
    <message>
      <source>Green photos should have the tag. Click, drag or Space changes them. Enter saves.</source>
      <translation>Grüne Fotos sollen das Schlagwort tragen. Klick, Ziehen oder Leertaste ändert sie. Enter speichert.</translation>
    </message>
    <message>
      <source>Groups</source>
      <translation>Gruppen</translation>
    </message>
    <message>
      <source>Guide</source>
      <translation>Handbuch</translation>
    </message>
    <message>
      <source>Hardly any of the remaining photos shows such a box. You can go through them nevertheless.</source>
      <translation>Von den übrigen Fotos hat wohl kaum eines einen solchen Rahmen. Sie können sie trotzdem durchgehen.</translation>
    </message>
    <message>
      <source>Heat map</source>
      <translation>Wärmekarte</translation>
    </message>
    <message>
      <source>Heat map and matching patches need local distances, which are not trained yet.</source>
      <translation>Wärmekarte und passende Ausschnitte brauchen lokale Abstände, die noch nicht trainiert sind.</translation>
    </message>
    <message>
      <source>Heat map and matching patches need local distances. A metric is being trained: wait for it.</source>
      <translation>Wärmekarte und passende Ausschnitte brauchen lokale Abstände. Eine Metrik wird gerade trainiert: Bitte warten Sie.</translation>
    </message>
    <message>
      <source>Heat map and matching patches need “{0}”, which is not in use.</source>
      <translation>Wärmekarte und passende Ausschnitte brauchen „{0}“, das nicht in Gebrauch ist.</translation>
    </message>
    <message>
      <source>Heat map: next &amp;kind of patch</source>
      <translation>Wärmekarte: nächste &amp;Art von Ausschnitt</translation>
    </message>
    <message>
      <source>Heat map: {0}</source>
      <translation>Wärmekarte: {0}</translation>
    </message>
    <message>
      <source>Height of the input in pixels</source>
      <translation>Höhe der Eingabe in Pixeln</translation>
    </message>
    <message>
      <source>Held-out judgements right</source>
      <translation>Zurückgehaltene Urteile richtig</translation>
    </message>
    <message>
      <source>Here kappa compares the tags of these people with each other. Alpha also uses photos that some of them have not answered.</source>
      <translation>Hier vergleicht Kappa die Schlagwörter dieser Personen miteinander. Alpha berücksichtigt auch Fotos, zu denen manche von ihnen nicht geantwortet haben.</translation>
    </message>
    <message>
      <source>Here: {0}</source>
      <translation>Hier: {0}</translation>
    </message>
    <message>
      <source>Hide the map</source>
      <translation>Karte ausblenden</translation>
    </message>
    <message>
      <source>Hierarchical keywords</source>
      <translation>Hierarchische Schlagwörter</translation>
    </message>
    <message>
      <source>History</source>
      <translation>Verlauf</translation>
    </message>
    <message>
      <source>How good are the tags?</source>
      <translation>Wie gut sind die Schlagwörter?</translation>
    </message>
    <message>
      <source>How much likelier a difference is between similar photos than between dissimilar ones</source>
      <translation>Um wie viel wahrscheinlicher ein Unterschied zwischen ähnlichen Fotos ist als zwischen unähnlichen</translation>
    </message>
    <message>
      <source>How often folders that the system cannot watch (such as network drives) are rescanned.</source>
      <translation>Wie oft Ordner neu eingelesen werden, die das System nicht überwachen kann (etwa auf Netzlaufwerken).</translation>
    </message>
    <message>
      <source>How reliable are the percentages?</source>
      <translation>Wie verlässlich sind die Prozentangaben?</translation>
    </message>
    <message>
      <source>Hugging Face imagefolder</source>
      <translation>Hugging Face imagefolder</translation>
    </message>
    <message>
      <source>Hund, chien</source>
      <translation>dog, chien</translation>
    </message>
    <message>
      <source>IPTC keywords</source>
      <translation>IPTC-Schlagwörter</translation>
    </message>
    <message>
      <source>ITML</source>
      <translation>ITML</translation>
    </message>
    <message>
      <source>Icon</source>
      <translation>Icon</translation>
    </message>
    <message>
      <source>Ignore rotation</source>
      <translation>Drehung ignorieren</translation>
    </message>
    <message>
      <source>ImageNet mean and deviation</source>
      <translation>Mittel und Streuung von ImageNet</translation>
    </message>
    <message>
      <source>Import</source>
      <translation>Importieren</translation>
    </message>
    <message numerus="yes">
      <source>Import %n tags</source>
      <translation>
        <numerusform>%n Schlagwort importieren</numerusform>
        <numerusform>%n Schlagwörter importieren</numerusform>
      </translation>
    </message>
    <message>
      <source>Import a data set</source>
      <translation>Datensatz importieren</translation>
    </message>
    <message>
      <source>Import a metric that someone else has shared</source>
      <translation>Importiert eine Metrik, die jemand weitergegeben hat</translation>
    </message>
    <message>
      <source>Import boxes, whose names become tags of the photo</source>
      <translation>Rahmen importieren, deren Namen Schlagwörter des Fotos werden</translation>
    </message>
    <message>
      <source>Import from sidecars only</source>
      <translation>Nur aus Begleitdateien importieren</translation>
    </message>
    <message>
      <source>Import judgements</source>
      <translation>Urteile importieren</translation>
    </message>
    <message>
      <source>Import metadata of other programs</source>
      <translation>Metadaten anderer Programme importieren</translation>
    </message>
    <message>
      <source>Import ta&amp;gs from files…</source>
      <translation>Schlagwörter aus Dateien &amp;importieren…</translation>
    </message>
    <message>
      <source>Import tags</source>
      <translation>Schlagwörter importieren</translation>
    </message>
    <message>
      <source>Import tags from files</source>
      <translation>Schlagwörter aus Dateien importieren</translation>
    </message>
    <message>
      <source>Import what sidecars say of {0}</source>
      <translation>Angaben der Begleitdateien zu {0} importieren</translation>
    </message>
    <message>
      <source>Import {0}</source>
      <translation>{0} importieren</translation>
    </message>
    <message>
      <source>Import {0} of {1}</source>
      <translation>{0} von {1} importieren</translation>
    </message>
    <message numerus="yes">
      <source>Imported %n tags from {0}.</source>
      <translation>
        <numerusform>%n Schlagwort aus {0} importiert.</numerusform>
        <numerusform>%n Schlagwörter aus {0} importiert.</numerusform>
      </translation>
    </message>
    <message>
      <source>Imported into Focal</source>
      <translation>Nach Focal importiert</translation>
    </message>
    <message>
      <source>Imported {0} from {1}.</source>
      <translation>Importiert: {0} von {1}.</translation>
    </message>
    <message>
      <source>Importing a data set</source>
      <translation>Datensatz wird importiert</translation>
    </message>
    <message>
      <source>Importing changes</source>
      <translation>Änderungen werden importiert</translation>
    </message>
    <message>
      <source>Importing ratings and tags</source>
      <translation>Bewertungen und Schlagwörter werden importiert</translation>
    </message>
    <message>
      <source>Importing tags</source>
      <translation>Schlagwörter werden importiert</translation>
    </message>
    <message>
      <source>Import…</source>
      <translation>Importieren…</translation>
    </message>
    <message>
      <source>Improvement was not measured.</source>
      <translation>Die Verbesserung wurde nicht gemessen.</translation>
    </message>
    <message>
      <source>Improving suggested boxes</source>
      <translation>Vorgeschlagene Rahmen werden verbessert</translation>
    </message>
    <message>
      <source>In Focal</source>
      <translation>In Focal</translation>
    </message>
    <message>
      <source>In either case the damaged catalogue is kept.</source>
      <translation>In jedem Fall bleibt der beschädigte Katalog erhalten.</translation>
    </message>
    <message>
      <source>In the sidecar</source>
      <translation>In der Begleitdatei</translation>
    </message>
    <message>
      <source>In use: {0}</source>
      <translation>Verwendet: {0}</translation>
    </message>
    <message>
      <source>Indexing was stopped. F5 continues it.</source>
      <translation>Das Einlesen wurde angehalten. F5 setzt es fort.</translation>
    </message>
    <message>
      <source>Indexing {0}</source>
      <translation>{0} wird eingelesen</translation>
    </message>
    <message>
      <source>Information</source>
      <translation>Angaben</translation>
    </message>
    <message>
      <source>Input</source>
      <translation>Eingabe</translation>
    </message>
    <message>
      <source>Inspecting the network</source>
      <translation>Netz wird untersucht</translation>
    </message>
    <message>
      <source>It cannot be changed: {0}.</source>
      <translation>Sie kann nicht geändert werden: {0}.</translation>
    </message>
    <message>
      <source>It cannot be loaded ({0}: {1}): update or remove the package.</source>
      <translation>Es kann nicht geladen werden ({0}: {1}): Aktualisieren oder entfernen Sie das Paket.</translation>
    </message>
    <message>
      <source>It cannot be read: {0}.</source>
      <translation>Sie kann nicht gelesen werden: {0}.</translation>
    </message>
    <message>
      <source>It cannot be written: {0}.</source>
      <translation>Sie kann nicht geschrieben werden: {0}.</translation>
    </message>
    <message>
      <source>It declares the encoding {0}, which is not supported: save it as UTF-8.</source>
      <translation>Sie nennt die Kodierung {0}, die nicht unterstützt wird: Speichern Sie sie als UTF-8.</translation>
    </message>
    <message>
      <source>It declares the encoding {0}, which is unknown.</source>
      <translation>Sie nennt die unbekannte Kodierung {0}.</translation>
    </message>
    <message>
      <source>It failed for {0}, so rankings do not use it: {1}</source>
      <translation>Fehlgeschlagen bei {0}, daher benutzen Ranglisten es nicht: {1}</translation>
    </message>
    <message>
      <source>It follows judgements, but is no OnlineMixin.</source>
      <translation>Es folgt Urteilen, ist aber kein OnlineMixin.</translation>
    </message>
    <message>
      <source>It has a document type or an unfinished comment, which sidecars do not have: not read.</source>
      <translation>Sie hat einen Dokumenttyp oder einen offenen Kommentar, was in Begleitdateien nicht vorkommt: Sie wurde nicht gelesen.</translation>
    </message>
    <message>
      <source>It has changed since it was compared: sync again.</source>
      <translation>Sie hat sich seit dem Vergleich geändert: Gleichen Sie noch einmal ab.</translation>
    </message>
    <message>
      <source>It has more than {0} MB, too many for a sidecar.</source>
      <translation>Sie hat mehr als {0} MB, zu viel für eine Begleitdatei.</translation>
    </message>
    <message>
      <source>It has more than {0} regions: they are not exchanged.</source>
      <translation>Sie hat mehr als {0} Regionen: Sie werden nicht ausgetauscht.</translation>
    </message>
    <message>
      <source>It has no embedding: derive from BlendedLearner or EmbeddingMixin.</source>
      <translation>Es hat keine Einbettung: Leiten Sie es von BlendedLearner oder EmbeddingMixin ab.</translation>
    </message>
    <message>
      <source>It has no tag yet.</source>
      <translation>Es hat noch kein Schlagwort.</translation>
    </message>
    <message>
      <source>It has parameters of a paper (printed), which only learners of Focal have.</source>
      <translation>Es hat Parameter eines Artikels (printed), die nur Lernverfahren von Focal haben.</translation>
    </message>
    <message>
      <source>It has tags, judgements or ratings, which will no longer be shown.</source>
      <translation>Es hat Schlagwörter, Urteile oder Bewertungen, die dann nicht mehr gezeigt werden.</translation>
    </message>
    <message>
      <source>It has: {0}</source>
      <translation>Es hat: {0}</translation>
    </message>
    <message>
      <source>It is XML, but not XMP.</source>
      <translation>Sie ist XML, aber kein XMP.</translation>
    </message>
    <message>
      <source>It is a link into another folder: it was left unchanged.</source>
      <translation>Sie ist eine Verknüpfung in einen anderen Ordner: Sie wurde nicht geändert.</translation>
    </message>
    <message>
      <source>It is empty.</source>
      <translation>Sie ist leer.</translation>
    </message>
    <message>
      <source>It is fitted to photos or computed from other descriptors, which a plug-in cannot be.</source>
      <translation>Er wird an Fotos angepasst oder aus anderen Deskriptoren berechnet, was bei einer Erweiterung nicht geht.</translation>
    </message>
    <message>
      <source>It is not XML.</source>
      <translation>Sie ist kein XML.</translation>
    </message>
    <message>
      <source>It is not well formed: {0}.</source>
      <translation>Sie ist kein gültiges XML: {0}.</translation>
    </message>
    <message>
      <source>It is write-protected: allow writing, and sync again.</source>
      <translation>Sie ist schreibgeschützt: Erlauben Sie das Schreiben, und gleichen Sie noch einmal ab.</translation>
    </message>
    <message>
      <source>It is {0}</source>
      <translation>Es ist {0}</translation>
    </message>
    <message>
      <source>It lists more than {0:,} keywords, which is not plausible.</source>
      <translation>Sie nennt mehr als {0:,} Schlagwörter, was nicht plausibel ist.</translation>
    </message>
    <message>
      <source>It lists more than {0:,} regions, which is not plausible.</source>
      <translation>Sie nennt mehr als {0:,} Regionen, was nicht plausibel ist.</translation>
    </message>
    <message>
      <source>It needs a title, a family, a summary, a source and needs, which are texts.</source>
      <translation>Nötig sind title, family, summary, source und needs, die Texte sind.</translation>
    </message>
    <message>
      <source>It needs a title, a summary and a source, which are texts, and a version, a whole number.</source>
      <translation>Nötig sind ein Titel, eine Beschreibung und eine Quelle, die Texte sind, und eine Version, die eine ganze Zahl ist.</translation>
    </message>
    <message>
      <source>It needs a title, which is a text.</source>
      <translation>Es braucht einen Titel, der ein Text ist.</translation>
    </message>
    <message>
      <source>It neither reads nor writes anything.</source>
      <translation>Es liest und schreibt nichts.</translation>
    </message>
    <message>
      <source>It no longer exists: sync again.</source>
      <translation>Es gibt sie nicht mehr: Gleichen Sie noch einmal ab.</translation>
    </message>
    <message>
      <source>It offers a {0}: a FileFormat is needed.</source>
      <translation>Geboten wird ein {0}: Nötig ist ein FileFormat.</translation>
    </message>
    <message>
      <source>It offers a {0}: an object derived from GlobalDescriptor is needed.</source>
      <translation>Geboten wird ein {0}: Nötig ist ein Objekt, das von GlobalDescriptor abgeleitet ist.</translation>
    </message>
    <message>
      <source>It offers {0}: a class derived from DistanceLearner is needed.</source>
      <translation>Geboten wird {0}: Nötig ist eine Klasse, die von DistanceLearner abgeleitet ist.</translation>
    </message>
    <message>
      <source>It opens automatically once the other program has closed.</source>
      <translation>Sie öffnet sich automatisch, sobald das andere Programm beendet ist.</translation>
    </message>
    <message>
      <source>It returned {0} instead of {1} numbers of the type float32.</source>
      <translation>Sie lieferte {0} statt {1} Zahlen vom Typ float32.</translation>
    </message>
    <message>
      <source>It takes {0:.1f} seconds per photo.</source>
      <translation>Es dauert {0:.1f} Sekunden pro Foto.</translation>
    </message>
    <message>
      <source>It took longer than {0:g} seconds to load, and was left out: update or remove the package.</source>
      <translation>Das Laden dauerte länger als {0:g} Sekunden und wurde abgebrochen: Aktualisieren oder entfernen Sie das Paket.</translation>
    </message>
    <message>
      <source>It took {0:.1f} seconds to load.</source>
      <translation>Das Laden dauerte {0:.1f} Sekunden.</translation>
    </message>
    <message>
      <source>It was built for version {0} of the plug-in interface, and this Focal has version {1}: install matching versions.</source>
      <translation>Es wurde für Version {0} der Schnittstelle für Erweiterungen gebaut, und dieses Focal hat Version {1}: Installieren Sie passende Versionen.</translation>
    </message>
    <message>
      <source>It was left out because it failed: {0}</source>
      <translation>Weggelassen, weil ein Fehler auftrat: {0}</translation>
    </message>
    <message>
      <source>Its boxes are not exchanged: some are uncertain, because the size of the photo has changed. Move or remove them in the preview.</source>
      <translation>Seine Rahmen werden nicht ausgetauscht: Einige sind unsicher, weil sich die Größe des Fotos geändert hat. Verschieben oder entfernen Sie diese in der Vorschau.</translation>
    </message>
    <message>
      <source>Its boxes are not exchanged: the photo has changed since it was indexed. Index it.</source>
      <translation>Seine Rahmen werden nicht ausgetauscht: Das Foto hat sich geändert, seit es eingelesen wurde. Lesen Sie es ein.</translation>
    </message>
    <message>
      <source>Its candidates for Automatic must be of the type Candidate.</source>
      <translation>Die Kandidaten für Automatisch müssen vom Typ Candidate sein.</translation>
    </message>
    <message>
      <source>Its contents could not be preserved exactly: it was left unchanged.</source>
      <translation>Ihr Inhalt ließe sich nicht genau erhalten: Sie wurde nicht geändert.</translation>
    </message>
    <message>
      <source>Its decoding took longer than {0:g} seconds.</source>
      <translation>Das Dekodieren dauerte länger als {0:g} Sekunden.</translation>
    </message>
    <message>
      <source>Its decoding took longer than {0:g} seconds: raise the limit if your disk or computer is slow.</source>
      <translation>Das Dekodieren dauerte länger als {0:g} Sekunden: Erhöhen Sie die Grenze, wenn Datenträger oder Rechner langsam sind.</translation>
    </message>
    <message>
      <source>Its dimension is {0!r}: a whole number from 1 to {1} is needed.</source>
      <translation>Die Länge ist {0!r}: Nötig ist eine ganze Zahl von 1 bis {1}.</translation>
    </message>
    <message>
      <source>Its disk is full: free some space, and sync again.</source>
      <translation>Ihr Datenträger ist voll: Schaffen Sie Platz, und gleichen Sie noch einmal ab.</translation>
    </message>
    <message>
      <source>Its kind or its subject is none of those that a plug-in can have.</source>
      <translation>Die Art oder das Thema ist keines von denen, die eine Erweiterung haben kann.</translation>
    </message>
    <message>
      <source>Its name is {0!r} in the package and {1!r} in the code: use one name of small letters and digits.</source>
      <translation>Der Name ist {0!r} im Paket und {1!r} im Code: Nehmen Sie einen Namen aus kleinen Buchstaben und Ziffern.</translation>
    </message>
    <message>
      <source>Its name is {0!r} in the package and {1!r} in the code: use one name of small letters, digits and hyphens.</source>
      <translation>Der Name ist {0!r} im Paket und {1!r} im Code: Nehmen Sie einen Namen aus kleinen Buchstaben, Ziffern und Bindestrichen.</translation>
    </message>
    <message>
      <source>Its name is {0!r} in the package and {1!r} in the code: use one name of small letters, digits and underscores.</source>
      <translation>Der Name ist {0!r} im Paket und {1!r} im Code: Nehmen Sie einen Namen aus kleinen Buchstaben, Ziffern und Unterstrichen.</translation>
    </message>
    <message>
      <source>Its name would be too long: shorten that of the photo.</source>
      <translation>Ihr Name wäre zu lang: Kürzen Sie den des Fotos.</translation>
    </message>
    <message>
      <source>Its readers must be of the type Reader.</source>
      <translation>Was liest, muss vom Typ Reader sein.</translation>
    </message>
    <message>
      <source>Its regions are those of an image of another shape: they are not exchanged.</source>
      <translation>Ihre Regionen gehören zu einem Bild mit anderem Seitenverhältnis: Sie werden nicht ausgetauscht.</translation>
    </message>
    <message>
      <source>Its suffixes must be a tuple of texts such as .csv.</source>
      <translation>Die Endungen müssen ein Tupel von Texten wie .csv sein.</translation>
    </message>
    <message>
      <source>Its tokenizer.json</source>
      <translation>Seine tokenizer.json</translation>
    </message>
    <message>
      <source>Its writers must be functions, and save_photos a Saver.</source>
      <translation>Was schreibt, muss eine Funktion sein, und save_photos ein Saver.</translation>
    </message>
    <message>
      <source>JSON Lines</source>
      <translation>JSON Lines</translation>
    </message>
    <message>
      <source>JSON Lines (*.jsonl)</source>
      <translation>JSON Lines (*.jsonl)</translation>
    </message>
    <message>
      <source>Judged</source>
      <translation>Beurteilt</translation>
    </message>
    <message>
      <source>Judgement</source>
      <translation>Urteil</translation>
    </message>
    <message>
      <source>Judgements</source>
      <translation>Urteile</translation>
    </message>
    <message>
      <source>Judgements are not read from {0}: choose another format.</source>
      <translation>Aus {0} werden keine Urteile gelesen: Wählen Sie ein anderes Format.</translation>
    </message>
    <message>
      <source>Judging</source>
      <translation>Urteil wird gespeichert</translation>
    </message>
    <message>
      <source>KISSME</source>
      <translation>KISSME</translation>
    </message>
    <message>
      <source>Kappa</source>
      <translation>Kappa</translation>
    </message>
    <message>
      <source>Kappa compares tags with answers: 1 if all are equal, 0 if they are as equal as by chance.</source>
      <translation>Kappa vergleicht die Schlagwörter mit den Antworten: 1, wenn alle gleich sind, 0, wenn sie nur so oft gleich sind wie durch Zufall.</translation>
    </message>
    <message>
      <source>Keep</source>
      <translation>Behalten</translation>
    </message>
    <message>
      <source>Keep another photo</source>
      <translation>Ein anderes behalten</translation>
    </message>
    <message>
      <source>Keep the judgement</source>
      <translation>Urteil behalten</translation>
    </message>
    <message>
      <source>Keep {0}</source>
      <translation>{0} behalten</translation>
    </message>
    <message>
      <source>Keep: best rated</source>
      <translation>Behalten: am besten bewertet</translation>
    </message>
    <message>
      <source>Keep: largest</source>
      <translation>Behalten: das größte</translation>
    </message>
    <message>
      <source>Keep: least compressed</source>
      <translation>Behalten: am wenigsten komprimiert</translation>
    </message>
    <message>
      <source>Keep: named</source>
      <translation>Behalten: hat einen Namen</translation>
    </message>
    <message>
      <source>Keep: sharpest</source>
      <translation>Behalten: das schärfste</translation>
    </message>
    <message>
      <source>Keep: the first</source>
      <translation>Behalten: das erste</translation>
    </message>
    <message>
      <source>Keep: your choice</source>
      <translation>Behalten: Ihre Wahl</translation>
    </message>
    <message>
      <source>Keeping a tag</source>
      <translation>Schlagwort wird behalten</translation>
    </message>
    <message>
      <source>Keeps the proposed version of each picture (Shift+R). Bursts are not included. Files stay unchanged.</source>
      <translation>Behält von jedem Bild die vorgeschlagene Fassung (Umschalt+R). Serien sind ausgenommen. Dateien bleiben unverändert.</translation>
    </message>
    <message>
      <source>Kernel</source>
      <translation>Kern</translation>
    </message>
    <message>
      <source>Kernel RCA</source>
      <translation>Kern-RCA</translation>
    </message>
    <message>
      <source>Kernel metric</source>
      <translation>Kernmetrik</translation>
    </message>
    <message>
      <source>Kernel metric, stepwise</source>
      <translation>Kernmetrik, schrittweise</translation>
    </message>
    <message>
      <source>Kernel multi-label metric</source>
      <translation>Multi-Label-Kernmetrik</translation>
    </message>
    <message>
      <source>Kernel of all families side by side</source>
      <translation>Ein Kern aus allen Merkmalsfamilien</translation>
    </message>
    <message>
      <source>Kernel of the best family</source>
      <translation>Kern der besten Merkmalsfamilie</translation>
    </message>
    <message>
      <source>Kernels of all families alike</source>
      <translation>Kerne aller Merkmalsfamilien, gleich gewichtet</translation>
    </message>
    <message>
      <source>Kernels of the feature families; nothing learned</source>
      <translation>Kerne der Merkmalsfamilien; nichts gelernt</translation>
    </message>
    <message>
      <source>Kernels weighted by family</source>
      <translation>Kerne, nach Familie gewichtet</translation>
    </message>
    <message>
      <source>Key 0 has no tag. If digits add stars, it removes them.</source>
      <translation>Die Taste 0 hat kein Schlagwort. Wenn Ziffern Sterne vergeben, entfernt sie die Sterne.</translation>
    </message>
    <message>
      <source>Key {0}</source>
      <translation>Taste {0}</translation>
    </message>
    <message>
      <source>Key {0}: {1}</source>
      <translation>Taste {0}: {1}</translation>
    </message>
    <message>
      <source>Keys</source>
      <translation>Tasten</translation>
    </message>
    <message>
      <source>Keys for it</source>
      <translation>Tasten dafür</translation>
    </message>
    <message>
      <source>Keys for {0}</source>
      <translation>Tasten für {0}</translation>
    </message>
    <message>
      <source>Kinds of patches in the heat map</source>
      <translation>Arten von Ausschnitten in der Wärmekarte</translation>
    </message>
    <message>
      <source>Krippendorff's alpha</source>
      <translation>Krippendorffs Alpha</translation>
    </message>
    <message>
      <source>LDA</source>
      <translation>LDA</translation>
    </message>
    <message>
      <source>LMNN</source>
      <translation>LMNN</translation>
    </message>
    <message>
      <source>LSML</source>
      <translation>LSML</translation>
    </message>
    <message>
      <source>Label</source>
      <translation>Farbmarkierung</translation>
    </message>
    <message>
      <source>Label Studio</source>
      <translation>Label Studio</translation>
    </message>
    <message>
      <source>Label {0}: {1}</source>
      <translation>{0} farbig markieren: {1}</translation>
    </message>
    <message>
      <source>Label: red, yellow, green, blue</source>
      <translation>Farbmarkierung: Rot, Gelb, Grün, Blau</translation>
    </message>
    <message>
      <source>Labelling</source>
      <translation>Farbmarkierung wird vergeben</translation>
    </message>
    <message>
      <source>Language</source>
      <translation>Sprache</translation>
    </message>
    <message>
      <source>Large margins between each photo's group and the others</source>
      <translation>Große Abstände zwischen der Gruppe jedes Fotos und den anderen</translation>
    </message>
    <message>
      <source>Large shapes</source>
      <translation>Große Formen</translation>
    </message>
    <message>
      <source>Large shapes, 32 components and place</source>
      <translation>Große Formen, 32 Komponenten und Ort</translation>
    </message>
    <message>
      <source>Larger files are skipped (megabytes of 1,048,576 bytes).</source>
      <translation>Größere Dateien werden übersprungen (Megabyte zu 1.048.576 Byte).</translation>
    </message>
    <message>
      <source>Larger libraries are searched with an index (package faiss), which may miss a few photos; 0: never.</source>
      <translation>Größere Bibliotheken werden mit einem Index (Paket faiss) durchsucht, dem einzelne Fotos entgehen können; 0: nie.</translation>
    </message>
    <message>
      <source>Largest file</source>
      <translation>Größte Datei</translation>
    </message>
    <message>
      <source>Largest photo</source>
      <translation>Größtes Foto</translation>
    </message>
    <message>
      <source>Largest size of thumbnails</source>
      <translation>Höchstgröße der Vorschaubilder</translation>
    </message>
    <message>
      <source>Lasso</source>
      <translation>Lasso</translation>
    </message>
    <message>
      <source>Layout</source>
      <translation>Anordnung</translation>
    </message>
    <message>
      <source>Learn a new metric from all judgements and tags (Ctrl+R)</source>
      <translation>Eine neue Metrik aus allen Urteilen und Schlagwörtern lernen (Strg+R)</translation>
    </message>
    <message>
      <source>Learn from a part of the photo</source>
      <translation>Aus einem Teil des Fotos lernen</translation>
    </message>
    <message>
      <source>Learned</source>
      <translation>Gelernt</translation>
    </message>
    <message>
      <source>Learned from</source>
      <translation>Gelernt aus</translation>
    </message>
    <message>
      <source>Learned from {0} of your photos</source>
      <translation>Gelernt aus {0} Ihrer Fotos</translation>
    </message>
    <message>
      <source>Learned from {0}.</source>
      <translation>Gelernt aus {0}.</translation>
    </message>
    <message>
      <source>Learned from {0}. Improvement was not measured.</source>
      <translation>Gelernt aus {0}. Die Verbesserung wurde nicht gemessen.</translation>
    </message>
    <message>
      <source>Learned from {0}. Too little data to measure improvement.</source>
      <translation>Gelernt aus {0}. Zu wenige Daten, um eine Verbesserung zu messen.</translation>
    </message>
    <message>
      <source>Learned from {0}: {1}</source>
      <translation>Gelernt aus {0}: {1}</translation>
    </message>
    <message>
      <source>Learned from: {0}</source>
      <translation>Gelernt aus: {0}</translation>
    </message>
    <message>
      <source>Learned today</source>
      <translation>Heute gelernt</translation>
    </message>
    <message>
      <source>Learned yesterday</source>
      <translation>Gestern gelernt</translation>
    </message>
    <message>
      <source>Learned {0}</source>
      <translation>Gelernt am {0}</translation>
    </message>
    <message>
      <source>Learners</source>
      <translation>Lernverfahren</translation>
    </message>
    <message>
      <source>Learning</source>
      <translation>Lernen</translation>
    </message>
    <message>
      <source>Learning and display</source>
      <translation>Lernen und Anzeige</translation>
    </message>
    <message>
      <source>Learning from your boxes</source>
      <translation>Aus Ihren Rahmen wird gelernt</translation>
    </message>
    <message>
      <source>Learning from your tags</source>
      <translation>Aus Ihren Schlagwörtern wird gelernt</translation>
    </message>
    <message>
      <source>Learning local distances</source>
      <translation>Lokale Abstände werden gelernt</translation>
    </message>
    <message>
      <source>Learning which parts of this photo matter…</source>
      <translation>Wichtige Teile dieses Fotos werden gelernt…</translation>
    </message>
    <message>
      <source>Learns from {0}.</source>
      <translation>Lernt aus {0}.</translation>
    </message>
    <message>
      <source>Leave all these photos open</source>
      <translation>Alle diese Fotos offen lassen</translation>
    </message>
    <message>
      <source>Leave empty to use the name of its folder. The folder itself is not renamed.</source>
      <translation>Leer lassen, um den Namen des Ordners zu verwenden. Der Ordner selbst wird nicht umbenannt.</translation>
    </message>
    <message>
      <source>Leave open</source>
      <translation>Offen lassen</translation>
    </message>
    <message>
      <source>Leave the comparison (Esc)</source>
      <translation>Vergleich verlassen (Esc)</translation>
    </message>
    <message>
      <source>Leave the ranking (G)</source>
      <translation>Rangfolge verlassen (G)</translation>
    </message>
    <message>
      <source>Left metric</source>
      <translation>Linke Metrik</translation>
    </message>
    <message>
      <source>Left out: {0}</source>
      <translation>Ausgelassen: {0}</translation>
    </message>
    <message>
      <source>Left out: {0}, the first is {1} ({2})</source>
      <translation>Ausgelassen: {0}, das erste ist {1} ({2})</translation>
    </message>
    <message>
      <source>Lens</source>
      <translation>Blickwinkel</translation>
    </message>
    <message>
      <source>Lenses (*{0})</source>
      <translation>Blickwinkel (*{0})</translation>
    </message>
    <message>
      <source>Levels</source>
      <translation>Werte</translation>
    </message>
    <message>
      <source>Li&amp;brary</source>
      <translation>&amp;Bibliothek</translation>
    </message>
    <message>
      <source>LibRaw does not support it</source>
      <translation>LibRaw unterstützt es nicht</translation>
    </message>
    <message>
      <source>Library</source>
      <translation>Bibliothek</translation>
    </message>
    <message>
      <source>Library of another person</source>
      <translation>Bibliothek einer anderen Person</translation>
    </message>
    <message>
      <source>Library: {0}</source>
      <translation>Bibliothek: {0}</translation>
    </message>
    <message>
      <source>Light</source>
      <translation>Hell</translation>
    </message>
    <message>
      <source>Like Kernel metric, batch by batch: each batch continues in the space of those before it</source>
      <translation>Wie die Kernmetrik, aber Schritt für Schritt: Jeder Schritt setzt im Raum der vorigen fort</translation>
    </message>
    <message>
      <source>Like these {0}</source>
      <translation>Wie diese {0}</translation>
    </message>
    <message>
      <source>Like this one</source>
      <translation>Wie dieses</translation>
    </message>
    <message>
      <source>Like {0}</source>
      <translation>Wie {0}</translation>
    </message>
    <message>
      <source>Likely label errors</source>
      <translation>Wahrscheinlich falsche Schlagwörter</translation>
    </message>
    <message>
      <source>Linear discriminant analysis: what separates the groups' means</source>
      <translation>Lineare Diskriminanzanalyse: was die Mittel der Gruppen trennt</translation>
    </message>
    <message>
      <source>Links to the photos instead of copies</source>
      <translation>Verknüpfungen mit den Fotos statt Kopien</translation>
    </message>
    <message>
      <source>List of photos and their tags</source>
      <translation>Liste von Fotos und ihren Schlagwörtern</translation>
    </message>
    <message>
      <source>Local (points of the photo)</source>
      <translation>Lokal (Punkte des Fotos)</translation>
    </message>
    <message>
      <source>Local distances</source>
      <translation>Lokale Abstände</translation>
    </message>
    <message>
      <source>Local distances from an image that is not in the library cannot be split.</source>
      <translation>Lokale Abstände von einem Bild außerhalb der Bibliothek können nicht zerlegt werden.</translation>
    </message>
    <message>
      <source>Local distances have no families to compare: choose other metrics.</source>
      <translation>Lokale Distanzen haben keine Merkmalsfamilien zum Vergleichen: Wählen Sie andere Metriken.</translation>
    </message>
    <message>
      <source>Locate</source>
      <translation>Zuordnen</translation>
    </message>
    <message>
      <source>Locate a moved folder</source>
      <translation>Verschobenen Ordner zuordnen</translation>
    </message>
    <message>
      <source>Locate…</source>
      <translation>Zuordnen…</translation>
    </message>
    <message>
      <source>Locating the folder</source>
      <translation>Ordner wird zugeordnet</translation>
    </message>
    <message>
      <source>Locked</source>
      <translation>Gekoppelt</translation>
    </message>
    <message>
      <source>Looking for boxes…</source>
      <translation>Rahmen werden gesucht …</translation>
    </message>
    <message>
      <source>Looking for changed photos</source>
      <translation>Geänderte Fotos werden gesucht</translation>
    </message>
    <message>
      <source>Looking for changes</source>
      <translation>Suche nach Änderungen</translation>
    </message>
    <message>
      <source>Looking for duplicates</source>
      <translation>Duplikate werden gesucht</translation>
    </message>
    <message>
      <source>Looking for duplicates…</source>
      <translation>Duplikate werden gesucht…</translation>
    </message>
    <message>
      <source>Looking for missing photos</source>
      <translation>Fehlende Fotos werden gesucht</translation>
    </message>
    <message>
      <source>Looking for missing photos…</source>
      <translation>Fehlende Fotos werden gesucht…</translation>
    </message>
    <message>
      <source>Looking for new training data</source>
      <translation>Neue Trainingsdaten werden gesucht</translation>
    </message>
    <message>
      <source>Looking for photos to describe</source>
      <translation>Fotos ohne Beschreibung werden gesucht</translation>
    </message>
    <message>
      <source>Looking for photos…</source>
      <translation>Fotos werden gesucht…</translation>
    </message>
    <message>
      <source>Looking for sidecars</source>
      <translation>Suche nach Begleitdateien</translation>
    </message>
    <message>
      <source>Looking for tags in files</source>
      <translation>Dateien werden nach Schlagwörtern durchsucht</translation>
    </message>
    <message>
      <source>Looking for what to ask next…</source>
      <translation>Nächste Frage wird gesucht…</translation>
    </message>
    <message>
      <source>Looking into the network…</source>
      <translation>Netz wird untersucht…</translation>
    </message>
    <message>
      <source>Looks alike</source>
      <translation>Sieht ähnlich aus</translation>
    </message>
    <message>
      <source>Looks alike: {0}.</source>
      <translation>Sieht ähnlich aus: {0}.</translation>
    </message>
    <message>
      <source>Looks li&amp;ke the focal image</source>
      <translation>Sieht aus wie das Fo&amp;kusbild</translation>
    </message>
    <message>
      <source>MLKR</source>
      <translation>MLKR</translation>
    </message>
    <message>
      <source>MMC</source>
      <translation>MMC</translation>
    </message>
    <message>
      <source>Ma&amp;p of the library</source>
      <translation>&amp;Karte der Bibliothek</translation>
    </message>
    <message>
      <source>Made</source>
      <translation>Angelegt</translation>
    </message>
    <message>
      <source>Making an index of the photos</source>
      <translation>Index der Fotos wird aufgebaut</translation>
    </message>
    <message>
      <source>Map</source>
      <translation>Karte</translation>
    </message>
    <message>
      <source>Map of</source>
      <translation>Karte von</translation>
    </message>
    <message>
      <source>Map of the library</source>
      <translation>Karte der Bibliothek</translation>
    </message>
    <message>
      <source>Map of your photos, similar photos close together (Ctrl+Shift+M)</source>
      <translation>Karte Ihrer Fotos, ähnliche nahe beieinander (Strg+Umschalt+M)</translation>
    </message>
    <message>
      <source>Mark {0} as dissimilar</source>
      <translation>{0} als unähnlich markieren</translation>
    </message>
    <message>
      <source>Mark {0} as looking alike</source>
      <translation>{0} als ähnlich aussehend markieren</translation>
    </message>
    <message>
      <source>Mark {0} as nearer than another</source>
      <translation>{0} als näher als ein anderes markieren</translation>
    </message>
    <message>
      <source>Mark {0} as similar</source>
      <translation>{0} als ähnlich markieren</translation>
    </message>
    <message>
      <source>Marking as not duplicates</source>
      <translation>Markierung als „Keine Duplikate“</translation>
    </message>
    <message>
      <source>Matching patches</source>
      <translation>Passende Ausschnitte</translation>
    </message>
    <message>
      <source>Matching the patches</source>
      <translation>Ausschnitte werden zugeordnet</translation>
    </message>
    <message>
      <source>May take minutes.</source>
      <translation>Kann Minuten dauern.</translation>
    </message>
    <message>
      <source>Mean</source>
      <translation>Mittel</translation>
    </message>
    <message>
      <source>Mean of R, G and B</source>
      <translation>Mittel von R, G und B</translation>
    </message>
    <message>
      <source>Meaning of alike</source>
      <translation>Was ähnlich heißt</translation>
    </message>
    <message>
      <source>Measure</source>
      <translation>Messen</translation>
    </message>
    <message>
      <source>Measure again</source>
      <translation>Neu messen</translation>
    </message>
    <message>
      <source>Measure metric</source>
      <translation>Metrik messen</translation>
    </message>
    <message>
      <source>Measure the metrics</source>
      <translation>Metriken messen</translation>
    </message>
    <message>
      <source>Measured on {0} tagged photos, each predicted without its own tags: {1:.0f} % before the last training, {2:.0f} % after it</source>
      <translation>Gemessen an {0} verschlagworteten Fotos, jeweils ohne deren eigene Schlagwörter: {1:.0f} % vor dem letzten Training, {2:.0f} % danach</translation>
    </message>
    <message>
      <source>Measuring display windows</source>
      <translation>Anzeigefenster werden gemessen</translation>
    </message>
    <message>
      <source>Measuring on tagged photos…</source>
      <translation>Wird an verschlagworteten Fotos gemessen…</translation>
    </message>
    <message>
      <source>Measuring the improvement</source>
      <translation>Verbesserung wird gemessen</translation>
    </message>
    <message>
      <source>Measuring the metric in use</source>
      <translation>Die verwendete Metrik wird gemessen</translation>
    </message>
    <message>
      <source>Measuring the metrics</source>
      <translation>Metriken werden gemessen</translation>
    </message>
    <message>
      <source>Measuring the suggestions</source>
      <translation>Vorschläge werden gemessen</translation>
    </message>
    <message>
      <source>Measuring…</source>
      <translation>Messung läuft…</translation>
    </message>
    <message>
      <source>Megabytes (of 1,048,576 bytes) that backups may use in one folder; the two newest always stay.</source>
      <translation>Megabyte (zu 1.048.576 Byte), die Sicherungen in einem Ordner belegen dürfen; die zwei neuesten bleiben immer.</translation>
    </message>
    <message>
      <source>Merge</source>
      <translation>Zusammenführen</translation>
    </message>
    <message>
      <source>Merge into</source>
      <translation>Zusammenführen mit</translation>
    </message>
    <message>
      <source>Merge into this library</source>
      <translation>In diese Bibliothek übernehmen</translation>
    </message>
    <message>
      <source>Merge into…</source>
      <translation>Zusammenführen mit…</translation>
    </message>
    <message>
      <source>Merge names</source>
      <translation>Namen zusammenführen</translation>
    </message>
    <message>
      <source>Merge tags</source>
      <translation>Schlagwörter zusammenführen</translation>
    </message>
    <message>
      <source>Merge tags: {0} into {1}</source>
      <translation>Schlagwörter zusammenführen: {0} mit {1}</translation>
    </message>
    <message>
      <source>Merge the others into the kept photo, and reject them</source>
      <translation>Die anderen mit dem behaltenen Foto zusammenführen und verwerfen</translation>
    </message>
    <message>
      <source>Merge {0}</source>
      <translation>{0} übernehmen</translation>
    </message>
    <message>
      <source>Merge {0} into {1}</source>
      <translation>{0} mit {1} zusammenführen</translation>
    </message>
    <message>
      <source>Merge: adds tags, ratings, labels and judgements of photos that are also in this library. Photos are matched by their contents. Nothing is removed, and one Undo reverts the merge.

Unpack: creates a new library in an empty folder, with everything in the archive.</source>
      <translation>Übernehmen: fügt Schlagwörter, Bewertungen, Farbmarkierungen und Urteile von Fotos hinzu, die auch in dieser Bibliothek sind. Fotos werden an ihrem Inhalt erkannt. Nichts wird entfernt, und ein einziges „Rückgängig“ nimmt alles zurück.

Entpacken: legt in einem leeren Ordner eine neue Bibliothek mit dem ganzen Inhalt des Archivs an.</translation>
    </message>
    <message>
      <source>Merge…</source>
      <translation>Zusammenführen…</translation>
    </message>
    <message>
      <source>Merging</source>
      <translation>Fotos werden zusammengeführt</translation>
    </message>
    <message>
      <source>Merging an archive</source>
      <translation>Archiv wird übernommen</translation>
    </message>
    <message>
      <source>Merging tags</source>
      <translation>Schlagwörter werden zusammengeführt</translation>
    </message>
    <message>
      <source>Messages</source>
      <translation>Meldungen</translation>
    </message>
    <message>
      <source>Messages of this session</source>
      <translation>Meldungen dieser Sitzung</translation>
    </message>
    <message>
      <source>Method</source>
      <translation>Verfahren</translation>
    </message>
    <message>
      <source>Method that suggests tags</source>
      <translation>Verfahren für Vorschläge</translation>
    </message>
    <message>
      <source>Method: {0}</source>
      <translation>Verfahren: {0}</translation>
    </message>
    <message>
      <source>Metric</source>
      <translation>Metrik</translation>
    </message>
    <message>
      <source>Missing files</source>
      <translation>Fehlende Dateien</translation>
    </message>
    <message>
      <source>Missing or different photos</source>
      <translation>Fehlende oder andere Fotos</translation>
    </message>
    <message>
      <source>Missing photos</source>
      <translation>Fehlende Fotos</translation>
    </message>
    <message>
      <source>More than {0:,} keywords are not written: no program would read them.</source>
      <translation>Mehr als {0:,} Schlagwörter werden nicht geschrieben: Kein Programm würde sie lesen.</translation>
    </message>
    <message>
      <source>More than {0:,} regions are not written: no program would read them.</source>
      <translation>Mehr als {0:,} Bereiche werden nicht geschrieben: Kein Programm würde sie lesen.</translation>
    </message>
    <message>
      <source>More than {0} brackets are open</source>
      <translation>Mehr als {0} Klammern sind offen</translation>
    </message>
    <message>
      <source>More than {0} photos must be described under both metrics: index more.</source>
      <translation>Mehr als {0} Fotos müssen für beide Metriken beschrieben sein: Erfassen Sie mehr.</translation>
    </message>
    <message>
      <source>Mouse</source>
      <translation>Maus</translation>
    </message>
    <message numerus="yes">
      <source>Move %n file(s) to the system's trash?</source>
      <translation>
        <numerusform>%n Datei in den Papierkorb des Systems legen?</numerusform>
        <numerusform>%n Dateien in den Papierkorb des Systems legen?</numerusform>
      </translation>
    </message>
    <message>
      <source>Move a box</source>
      <translation>Einen Rahmen verschieben</translation>
    </message>
    <message>
      <source>Move it by a pixel</source>
      <translation>Um ein Pixel verschieben</translation>
    </message>
    <message>
      <source>Move the current box</source>
      <translation>Aktuellen Rahmen verschieben</translation>
    </message>
    <message>
      <source>Move the library into this folder</source>
      <translation>Bibliothek in diesen Ordner verschieben</translation>
    </message>
    <message>
      <source>Move the line by one photo</source>
      <translation>Linie um ein Foto verschieben</translation>
    </message>
    <message>
      <source>Move the line by one row</source>
      <translation>Linie um eine Zeile verschieben</translation>
    </message>
    <message>
      <source>Move the map</source>
      <translation>Karte verschieben</translation>
    </message>
    <message>
      <source>Move the picture</source>
      <translation>Bild verschieben</translation>
    </message>
    <message>
      <source>Move this library…</source>
      <translation>Diese Bibliothek verschieben…</translation>
    </message>
    <message>
      <source>Move to the &amp;trash…</source>
      <translation>In den &amp;Papierkorb…</translation>
    </message>
    <message>
      <source>Move to the top level</source>
      <translation>Auf die oberste Ebene</translation>
    </message>
    <message>
      <source>Move to the trash</source>
      <translation>In den Papierkorb</translation>
    </message>
    <message>
      <source>Moved by your judgements: {0}.</source>
      <translation>Durch Ihre Urteile verschoben: {0}.</translation>
    </message>
    <message>
      <source>Moving a box</source>
      <translation>Verschieben eines Rahmens</translation>
    </message>
    <message>
      <source>Moving files to the trash</source>
      <translation>Dateien werden in den Papierkorb gelegt</translation>
    </message>
    <message>
      <source>Moving the library</source>
      <translation>Bibliothek wird verschoben</translation>
    </message>
    <message>
      <source>Multi-label metric</source>
      <translation>Multi-Label-Metrik</translation>
    </message>
    <message>
      <source>N&amp;earer than the other selected photo</source>
      <translation>Näh&amp;er als das andere ausgewählte Foto</translation>
    </message>
    <message>
      <source>N&amp;ot like these</source>
      <translation>N&amp;icht wie diese</translation>
    </message>
    <message>
      <source>NCA</source>
      <translation>NCA</translation>
    </message>
    <message>
      <source>Name</source>
      <translation>Name</translation>
    </message>
    <message>
      <source>Name it</source>
      <translation>Benennen</translation>
    </message>
    <message>
      <source>Name of the box</source>
      <translation>Name des Rahmens</translation>
    </message>
    <message>
      <source>Name {0}</source>
      <translation>{0} benennen</translation>
    </message>
    <message>
      <source>Name {0}: {1}</source>
      <translation>{0} benennen: {1}</translation>
    </message>
    <message>
      <source>Name: a tag</source>
      <translation>Name: ein Schlagwort</translation>
    </message>
    <message>
      <source>Names of new sidecars</source>
      <translation>Namen neuer Begleitdateien</translation>
    </message>
    <message>
      <source>Names separated by commas, or standard: the default descriptors and the networks. See focal descriptors.</source>
      <translation>Namen, durch Kommas getrennt, oder standard: die Standarddeskriptoren und die Netze. Siehe focal descriptors.</translation>
    </message>
    <message>
      <source>Names separated by commas. Review asks about all other tags; none: about all tags.</source>
      <translation>Namen, durch Kommas getrennt. Die Durchsicht fragt nach allen anderen Schlagwörtern; none: nach allen.</translation>
    </message>
    <message>
      <source>Names under the photos</source>
      <translation>Namen unter den Fotos</translation>
    </message>
    <message>
      <source>Naming a box</source>
      <translation>Benennen eines Rahmens</translation>
    </message>
    <message>
      <source>Nearer than another</source>
      <translation>Näher als ein anderes</translation>
    </message>
    <message>
      <source>Nearer than {0}</source>
      <translation>Näher als {0}</translation>
    </message>
    <message>
      <source>Needs nothing.</source>
      <translation>Braucht nichts.</translation>
    </message>
    <message>
      <source>Neighbourhood components analysis: nearest photos should be of the same group</source>
      <translation>Komponentenanalyse der Nachbarschaft: Die nächsten Fotos sollen aus derselben Gruppe sein</translation>
    </message>
    <message>
      <source>Network {0} gave {1} values instead of {2}.</source>
      <translation>Das Netz {0} hat {1} Werte statt {2} geliefert.</translation>
    </message>
    <message>
      <source>Network {0} returns values that are not finite: check its mean, scale and channels.</source>
      <translation>Das Netz {0} liefert Werte, die nicht endlich sind: Prüfen Sie Mittelwert, Skalierung und Kanäle.</translation>
    </message>
    <message>
      <source>Networks</source>
      <translation>Netze</translation>
    </message>
    <message>
      <source>Never group these boxes again (N)</source>
      <translation>Diese Rahmen nie wieder gruppieren (N)</translation>
    </message>
    <message>
      <source>Never group these photos again (N)</source>
      <translation>Diese Fotos nie wieder gruppieren (N)</translation>
    </message>
    <message>
      <source>New audit…</source>
      <translation>Neue Prüfung…</translation>
    </message>
    <message>
      <source>New library…</source>
      <translation>Neue Bibliothek…</translation>
    </message>
    <message>
      <source>New location</source>
      <translation>Neuer Ort</translation>
    </message>
    <message>
      <source>New location of the folder</source>
      <translation>Neuer Ort des Ordners</translation>
    </message>
    <message>
      <source>New sidecars are named like {0}. Photos themselves are never written.</source>
      <translation>Neue Begleitdateien heißen wie {0}. Die Fotos selbst werden nie beschrieben.</translation>
    </message>
    <message>
      <source>New tag: {0}</source>
      <translation>Neues Schlagwort: {0}</translation>
    </message>
    <message>
      <source>New tag: {0}   (Shift+Enter)</source>
      <translation>Neues Schlagwort: {0}   (Umschalt+Enter)</translation>
    </message>
    <message>
      <source>New tags: {0}</source>
      <translation>Neue Schlagwörter: {0}</translation>
    </message>
    <message>
      <source>Next</source>
      <translation>Weiter</translation>
    </message>
    <message>
      <source>Next &amp;untagged photo</source>
      <translation>Nächstes Foto &amp;ohne Schlagwort</translation>
    </message>
    <message>
      <source>Next and previous box</source>
      <translation>Nächster und voriger Rahmen</translation>
    </message>
    <message>
      <source>Next group</source>
      <translation>Nächste Gruppe</translation>
    </message>
    <message>
      <source>No Dask scheduler answers at {0}: check the address and that it runs.</source>
      <translation>Unter {0} antwortet kein Dask-Scheduler: Prüfen Sie die Adresse, und ob er läuft.</translation>
    </message>
    <message>
      <source>No backup has been verified for a month: Focal can try to restore the newest one.</source>
      <translation>Seit einem Monat wurde keine Sicherung geprüft: Focal kann probeweise die neueste wiederherstellen.</translation>
    </message>
    <message>
      <source>No backup was made of {0}: its catalogue is damaged ({1}).</source>
      <translation>Von {0} wurde keine Sicherung angelegt: Der Katalog ist beschädigt ({1}).</translation>
    </message>
    <message>
      <source>No blind pass is answered yet: choose Am I done? in Review, then Ask me again.</source>
      <translation>Es ist noch keine zweite Befragung beantwortet: Wählen Sie „Bin ich fertig?“ in der Durchsicht, dann „Noch einmal fragen“.</translation>
    </message>
    <message>
      <source>No box is left to ask about.</source>
      <translation>Es gibt keinen Rahmen mehr, nach dem zu fragen wäre.</translation>
    </message>
    <message>
      <source>No box is named yet: draw boxes on a few photos and name them by a tag.</source>
      <translation>Noch ist kein Rahmen benannt: Zeichnen Sie Rahmen auf einigen Fotos, und benennen Sie sie mit einem Schlagwort.</translation>
    </message>
    <message>
      <source>No boxes yet: drag on the photo.</source>
      <translation>Noch keine Rahmen: Ziehen Sie auf dem Foto.</translation>
    </message>
    <message>
      <source>No catalogue of {0} has been replaced yet: there is nothing to undo.</source>
      <translation>Von {0} wurde noch kein Katalog ersetzt: Es gibt nichts zurückzunehmen.</translation>
    </message>
    <message>
      <source>No duplicates found. Identical files count as one photo: find them with the filter “copied”.</source>
      <translation>Keine Duplikate gefunden. Identische Dateien zählen als ein Foto: Sie finden sie mit dem Filter „copied“.</translation>
    </message>
    <message>
      <source>No file was found: search in another folder</source>
      <translation>Keine Datei gefunden: Suchen Sie in einem anderen Ordner</translation>
    </message>
    <message>
      <source>No further tag is likely for the selection. Ctrl+G without a selection suggests tags for all photos.</source>
      <translation>Für die Auswahl ist kein weiteres Schlagwort wahrscheinlich. Strg+G ohne Auswahl schlägt Schlagwörter für alle Fotos vor.</translation>
    </message>
    <message>
      <source>No indexed photo carries the tag {0}: choose other tags.</source>
      <translation>Kein eingelesenes Foto trägt das Schlagwort {0}: Wählen Sie andere.</translation>
    </message>
    <message>
      <source>No indexed photo is tagged yet: tag a few photos first.</source>
      <translation>Noch kein Foto hat ein Schlagwort: Verschlagworten Sie zuerst einige Fotos.</translation>
    </message>
    <message>
      <source>No key</source>
      <translation>Keine Taste</translation>
    </message>
    <message>
      <source>No label</source>
      <translation>Keine Farbmarkierung</translation>
    </message>
    <message>
      <source>No links can be made in {0}: choose copies instead.</source>
      <translation>In {0} können keine Verknüpfungen angelegt werden: Wählen Sie stattdessen Kopien.</translation>
    </message>
    <message>
      <source>No longer judged to look alike: {0}.</source>
      <translation>Gilt nicht mehr als ähnlich aussehend: {0}.</translation>
    </message>
    <message>
      <source>No longer judged: {0} nearer than {1}.</source>
      <translation>Nicht mehr beurteilt: {0} näher als {1}.</translation>
    </message>
    <message>
      <source>No measurable improvement: {0} % right, {1} % without learning.</source>
      <translation>Keine messbare Verbesserung: {0} % richtig, {1} % ohne Lernen.</translation>
    </message>
    <message>
      <source>No messages yet.</source>
      <translation>Noch keine Meldungen.</translation>
    </message>
    <message>
      <source>No open suggestion is sure enough</source>
      <translation>Kein offener Vorschlag ist sicher genug</translation>
    </message>
    <message>
      <source>No other photo matches “{0}”.</source>
      <translation>Kein anderes Foto passt zu „{0}“.</translation>
    </message>
    <message>
      <source>No other photo to compare with. Esc: back to the photos.</source>
      <translation>Kein anderes Foto zum Vergleichen. Esc: zurück zu den Fotos.</translation>
    </message>
    <message>
      <source>No other photos to rank yet.</source>
      <translation>Es gibt noch keine anderen Fotos zum Ordnen.</translation>
    </message>
    <message>
      <source>No part of the focal image closely matches this photo.</source>
      <translation>Kein Teil des Fokusbilds passt gut zu diesem Foto.</translation>
    </message>
    <message>
      <source>No photo carries a tag yet.</source>
      <translation>Noch trägt kein Foto ein Schlagwort.</translation>
    </message>
    <message>
      <source>No photo carries the tag {0}: see focal tags.</source>
      <translation>Kein Foto trägt das Schlagwort {0}: Siehe focal tags.</translation>
    </message>
    <message>
      <source>No photo has an edge on which to place a patch.</source>
      <translation>Kein Foto hat eine Kante, auf der ein Ausschnitt liegen könnte.</translation>
    </message>
    <message>
      <source>No photo here carries a tag yet.</source>
      <translation>Hier trägt noch kein Foto ein Schlagwort.</translation>
    </message>
    <message>
      <source>No photo here carries a tag: there is nothing to audit yet.</source>
      <translation>Hier trägt kein Foto ein Schlagwort: Es gibt noch nichts zu prüfen.</translation>
    </message>
    <message>
      <source>No photo in common carries the tag {0}: choose other tags.</source>
      <translation>Kein gemeinsames Foto trägt das Schlagwort {0}: Wählen Sie andere Schlagwörter.</translation>
    </message>
    <message>
      <source>No photo in the folder {0} matches “{1}”.</source>
      <translation>Kein Foto im Ordner {0} passt zu „{1}“.</translation>
    </message>
    <message>
      <source>No photo is called {0}: write the end of its path, as in 2024/beach.jpg</source>
      <translation>Kein Foto heißt {0}: Geben Sie das Ende seines Pfads an, etwa 2024/Strand.jpg</translation>
    </message>
    <message>
      <source>No photo is described by the network {0} yet: run focal index.</source>
      <translation>Das Netz {0} hat noch kein Foto beschrieben: Führen Sie focal index aus.</translation>
    </message>
    <message>
      <source>No photo is described for searches by a region yet: run focal index.</source>
      <translation>Noch ist kein Foto für die Suche mit einem Ausschnitt beschrieben: Starten Sie focal index.</translation>
    </message>
    <message>
      <source>No photo is described yet: wait until the first ones are.</source>
      <translation>Noch ist kein Foto beschrieben: Warten Sie auf die ersten.</translation>
    </message>
    <message>
      <source>No photo is indexed yet: index a folder with photos first.</source>
      <translation>Noch kein Foto ist eingelesen: Lesen Sie zuerst einen Ordner mit Fotos ein.</translation>
    </message>
    <message>
      <source>No photo is known to be similar to one photo and dissimilar to another: judge both kinds for a photo, or tag photos of at least two kinds.</source>
      <translation>Kein Foto ist einem ähnlich und einem anderen unähnlich: Geben Sie zu einem Foto beide Urteile ab, oder verschlagworten Sie Fotos von mindestens zwei Arten.</translation>
    </message>
    <message>
      <source>No photo is left to ask about.</source>
      <translation>Es gibt keine Fotos mehr, nach denen Focal fragen könnte.</translation>
    </message>
    <message>
      <source>No photo is missing.</source>
      <translation>Kein Foto fehlt.</translation>
    </message>
    <message>
      <source>No photo matches “{0}”.</source>
      <translation>Kein Foto passt zu „{0}“.</translation>
    </message>
    <message>
      <source>No photo of an audit is answered yet: answer some first.</source>
      <translation>Noch ist kein Foto der Prüfung beantwortet: Beantworten Sie zuerst einige.</translation>
    </message>
    <message>
      <source>No photos</source>
      <translation>Keine Fotos</translation>
    </message>
    <message>
      <source>No picture</source>
      <translation>Kein Bild</translation>
    </message>
    <message>
      <source>No planted photo has the tag {0}: choose other tags or photos.</source>
      <translation>Kein Kontrollfoto hat das Schlagwort {0}: Wählen Sie andere Schlagwörter oder Fotos.</translation>
    </message>
    <message>
      <source>No plug-ins are installed. The guide (F1) describes how to write one.</source>
      <translation>Es sind keine Erweiterungen installiert. Das Handbuch (F1) beschreibt, wie man eine schreibt.</translation>
    </message>
    <message>
      <source>No rating</source>
      <translation>Keine Bewertung</translation>
    </message>
    <message>
      <source>No saved trails yet</source>
      <translation>Noch keine gespeicherten Spuren</translation>
    </message>
    <message>
      <source>No sidecar or photo in {0} has regions: name the folder of the photos.</source>
      <translation>Keine Begleitdatei und kein Foto in {0} hat Regionen: geben Sie den Ordner der Fotos an.</translation>
    </message>
    <message>
      <source>No similar photo is tagged {0}.</source>
      <translation>Kein ähnliches Foto trägt das Schlagwort {0}.</translation>
    </message>
    <message>
      <source>No single feature decides this.</source>
      <translation>Kein einzelnes Merkmal gibt den Ausschlag.</translation>
    </message>
    <message>
      <source>No suggestion here. Ctrl+G suggests tags.</source>
      <translation>Hier gibt es keinen Vorschlag. Strg+G schlägt Schlagwörter vor.</translation>
    </message>
    <message>
      <source>No tag to suggest yet. Tag a few photos of each kind first.</source>
      <translation>Noch lassen sich keine Schlagwörter vorschlagen. Verschlagworten Sie zuerst von jeder Art einige Fotos.</translation>
    </message>
    <message>
      <source>No tag was imported.</source>
      <translation>Es wurde kein Schlagwort importiert.</translation>
    </message>
    <message>
      <source>No tagged or judged photo can be described as the lens {0} requires.</source>
      <translation>Kein verschlagwortetes oder beurteiltes Foto lässt sich so beschreiben, wie der Blickwinkel {0} es verlangt.</translation>
    </message>
    <message>
      <source>No tagged photo has a local distance yet: tag some photos and run focal train --learner {0}.</source>
      <translation>Noch kein verschlagwortetes Foto hat einen lokalen Abstand: Verschlagworten Sie einige Fotos, und führen Sie focal train --learner {0} aus.</translation>
    </message>
    <message>
      <source>No tags yet: select photos and press T.</source>
      <translation>Noch keine Schlagwörter: Wählen Sie Fotos aus, und drücken Sie T.</translation>
    </message>
    <message>
      <source>No two boxes show the same part of a photo or the same picture.</source>
      <translation>Keine zwei Rahmen zeigen denselben Teil eines Fotos oder dasselbe Bild.</translation>
    </message>
    <message>
      <source>None</source>
      <translation>Keine</translation>
    </message>
    <message>
      <source>None for the selection. See All for other photos.</source>
      <translation>Keine für die Auswahl. Andere finden Sie unter „Alle“.</translation>
    </message>
    <message>
      <source>None of the photos could be read to try the network on: check that their folder is available.</source>
      <translation>Keines der Fotos für den Test des Netzes ließ sich lesen: Prüfen Sie, ob ihr Ordner erreichbar ist.</translation>
    </message>
    <message>
      <source>None of the photos is tagged: tag a few photos first, or choose another goal.</source>
      <translation>Keines der Fotos hat ein Schlagwort: Verschlagworten Sie zuerst einige Fotos, oder wählen Sie ein anderes Ziel.</translation>
    </message>
    <message>
      <source>None of the photos of the trail {0} is in the library any more.</source>
      <translation>Von der Spur {0} ist kein Foto mehr in der Bibliothek.</translation>
    </message>
    <message>
      <source>None of the {0} photos of {1} is in {2}: {3} is not there, or another photo.</source>
      <translation>Keines der {0} Fotos von {1} ist in {2}: {3} fehlt oder ist ein anderes Foto.</translation>
    </message>
    <message>
      <source>None of these</source>
      <translation>Nichts davon</translation>
    </message>
    <message>
      <source>None yet.</source>
      <translation>Noch keine.</translation>
    </message>
    <message>
      <source>Not closer than usual in any feature.</source>
      <translation>In keinem Merkmal näher als üblich.</translation>
    </message>
    <message>
      <source>Not copied: {0}, the first is {1} ({2}).</source>
      <translation>Nicht kopiert: {0}, das erste ist {1} ({2}).</translation>
    </message>
    <message>
      <source>Not defined: all answers are equal.</source>
      <translation>Nicht bestimmt: Alle Antworten sind gleich.</translation>
    </message>
    <message>
      <source>Not duplicates</source>
      <translation>Keine Duplikate</translation>
    </message>
    <message>
      <source>Not duplicates: {0}</source>
      <translation>Keine Duplikate: {0}</translation>
    </message>
    <message>
      <source>Not in the library. Shift+S adds the selection, Shift+D adds it as a counterexample.</source>
      <translation>Nicht in der Bibliothek. Umschalt+S nimmt die Auswahl als Beispiel hinzu, Umschalt+D als Gegenbeispiel.</translation>
    </message>
    <message>
      <source>Not in this library: {0}, the first is {1}.</source>
      <translation>Nicht in dieser Bibliothek: {0}, das erste ist {1}.</translation>
    </message>
    <message>
      <source>Not like {0}</source>
      <translation>Nicht wie {0}</translation>
    </message>
    <message>
      <source>Not now</source>
      <translation>Nicht jetzt</translation>
    </message>
    <message>
      <source>Not readable</source>
      <translation>Nicht lesbar</translation>
    </message>
    <message>
      <source>Not similar</source>
      <translation>Nicht ähnlich</translation>
    </message>
    <message>
      <source>Not similar (D)</source>
      <translation>Nicht ähnlich (D)</translation>
    </message>
    <message>
      <source>Not {0}</source>
      <translation>Nicht {0}</translation>
    </message>
    <message>
      <source>Not {0} (Del)</source>
      <translation>Nicht {0} (Entf)</translation>
    </message>
    <message>
      <source>Note</source>
      <translation>Hinweis</translation>
    </message>
    <message>
      <source>Nothing</source>
      <translation>Nichts</translation>
    </message>
    <message>
      <source>Nothing can be learned: {0}</source>
      <translation>Es kann nichts gelernt werden: {0}</translation>
    </message>
    <message>
      <source>Nothing can be rescued.</source>
      <translation>Es lässt sich nichts retten.</translation>
    </message>
    <message>
      <source>Nothing can be written to its folder: allow writing, and sync again.</source>
      <translation>In ihren Ordner kann nichts geschrieben werden: Erlauben Sie das Schreiben, und gleichen Sie noch einmal ab.</translation>
    </message>
    <message>
      <source>Nothing else</source>
      <translation>Sonst nichts</translation>
    </message>
    <message>
      <source>Nothing found.</source>
      <translation>Nichts gefunden.</translation>
    </message>
    <message>
      <source>Nothing has been learned about this photo yet: tag it, or judge others against it, then retrain.</source>
      <translation>Über dieses Foto ist noch nichts gelernt: Verschlagworten Sie es, oder beurteilen Sie andere ihm gegenüber, und trainieren Sie dann neu.</translation>
    </message>
    <message>
      <source>Nothing has been learned yet. Judge or tag a few photos, then press Retrain.</source>
      <translation>Noch ist nichts gelernt. Beurteilen oder verschlagworten Sie einige Fotos, und klicken Sie dann auf „Neu trainieren“.</translation>
    </message>
    <message>
      <source>Nothing has changed: {0}.</source>
      <translation>Es hat sich nichts geändert: {0}.</translation>
    </message>
    <message>
      <source>Nothing is deleted. Undo brings them back, and so does finding the file again.</source>
      <translation>Nichts wird gelöscht. „Rückgängig“ bringt alles zurück, ebenso eine wiedergefundene Datei.</translation>
    </message>
    <message>
      <source>Nothing is selected. Click a photo to see its tags, suggestions and information.</source>
      <translation>Nichts ist ausgewählt. Klicken Sie auf ein Foto, um seine Schlagwörter, Vorschläge und Angaben zu sehen.</translation>
    </message>
    <message>
      <source>Nothing stands out.</source>
      <translation>Nichts fällt auf.</translation>
    </message>
    <message>
      <source>Nothing to save yet: set a focal image first.</source>
      <translation>Noch nichts zu speichern: Wählen Sie zuerst ein Fokusbild.</translation>
    </message>
    <message>
      <source>Nothing to tag: {0} already tagged with {1}.</source>
      <translation>Nichts zu tun, schon mit {1} verschlagwortet: {0}.</translation>
    </message>
    <message>
      <source>Nothing was copied to {0}.</source>
      <translation>Nach {0} wurde nichts kopiert.</translation>
    </message>
    <message>
      <source>Now at</source>
      <translation>Jetzt in</translation>
    </message>
    <message>
      <source>Number of photos</source>
      <translation>Anzahl der Fotos</translation>
    </message>
    <message>
      <source>OASIS</source>
      <translation>OASIS</translation>
    </message>
    <message>
      <source>ONNX files need the package onnx: install it, or install Focal with its extra onnx.</source>
      <translation>ONNX-Dateien brauchen das Paket onnx: Installieren Sie es, oder installieren Sie Focal mit dem Zusatz onnx.</translation>
    </message>
    <message>
      <source>ONNX networks (*.onnx)</source>
      <translation>ONNX-Netze (*.onnx)</translation>
    </message>
    <message>
      <source>ONNX networks used as descriptors, as a JSON list; focal descriptors --add-network checks them.</source>
      <translation>ONNX-Netze als Deskriptoren, als JSON-Liste; focal descriptors --add-network prüft sie.</translation>
    </message>
    <message>
      <source>ORB</source>
      <translation>ORB</translation>
    </message>
    <message>
      <source>ORB, 1000 words</source>
      <translation>ORB, 1000 Wörter</translation>
    </message>
    <message>
      <source>ORB, 1000 words, 50 components</source>
      <translation>ORB, 1000 Wörter, 50 Komponenten</translation>
    </message>
    <message>
      <source>ORB, 200 words</source>
      <translation>ORB, 200 Wörter</translation>
    </message>
    <message>
      <source>ORB, 200 words, 50 components</source>
      <translation>ORB, 200 Wörter, 50 Komponenten</translation>
    </message>
    <message>
      <source>OS/2 bitmaps with Huffman or 24-bit run-length compression</source>
      <translation>OS/2-Bitmaps mit Huffman- oder 24-Bit-Lauflängenkompression</translation>
    </message>
    <message>
      <source>Odd photos</source>
      <translation>Ungewöhnliche Fotos</translation>
    </message>
    <message>
      <source>Of the photos you judged, {0} above this line were similar and {1} below it.</source>
      <translation>Von den Fotos, die Sie beurteilt haben, waren über dieser Linie {0} ähnlich und darunter {1}.</translation>
    </message>
    <message>
      <source>Of your tagged photos, {0} above this line share a tag and {1} below it.</source>
      <translation>Von Ihren verschlagworteten Fotos haben über dieser Linie {0} ein Schlagwort gemeinsam und darunter {1}.</translation>
    </message>
    <message>
      <source>Offer “Move to trash” in the context menu</source>
      <translation>„In den Papierkorb“ im Kontextmenü anbieten</translation>
    </message>
    <message>
      <source>Often with</source>
      <translation>Oft dabei</translation>
    </message>
    <message>
      <source>On disk</source>
      <translation>Belegt</translation>
    </message>
    <message>
      <source>On pages of all tags: name the box last drawn on the current photo, or its frame</source>
      <translation>Auf Seiten aller Schlagwörter: den zuletzt gezeichneten Rahmen des aktuellen Fotos benennen, sonst den vorgeschlagenen</translation>
    </message>
    <message>
      <source>On pages of all tags: type this name</source>
      <translation>Auf Seiten aller Schlagwörter: diesen Namen eintippen</translation>
    </message>
    <message>
      <source>On: Review also asks about photos that no tag explains. Off: Review asks only about existing tags.</source>
      <translation>Ein: Die Durchsicht fragt auch nach Fotos, die kein Schlagwort erklärt. Aus: Sie fragt nur nach vorhandenen Schlagwörtern.</translation>
    </message>
    <message>
      <source>On: changes in the photo folders appear within seconds. Off: after a restart or F5.</source>
      <translation>Ein: Änderungen in den Fotoordnern erscheinen innerhalb von Sekunden. Aus: nach einem Neustart oder mit F5.</translation>
    </message>
    <message>
      <source>On: photos are close if they share close neighbours. Off: only the metric's own distance.</source>
      <translation>Ein: Fotos sind sich nahe, wenn sie nahe Nachbarn teilen. Aus: allein der Abstand der Metrik.</translation>
    </message>
    <message>
      <source>On: rankings show one photo of each stack of duplicates. Off: they show all.</source>
      <translation>Ein: Rangfolgen zeigen von jedem Stapel von Duplikaten ein Foto. Aus: Sie zeigen alle.</translation>
    </message>
    <message>
      <source>On: rotated photos count as similar, for aerial photos and microscopy. Off: it counts where up is. A change describes all photos again.</source>
      <translation>Ein: Gedrehte Fotos gelten als ähnlich, für Luftbilder und Mikroskopie. Aus: Es zählt, wo oben ist. Eine Änderung beschreibt alle Fotos neu.</translation>
    </message>
    <message>
      <source>On: slideshows show each photo once in random order. Off: in the order of the grid.</source>
      <translation>Ein: Diaschauen zeigen jedes Foto einmal in zufälliger Folge. Aus: in der Reihenfolge des Rasters.</translation>
    </message>
    <message>
      <source>On: tags, ratings, labels and boxes are written to sidecars within seconds. Off: only when you sync.</source>
      <translation>Ein: Schlagwörter, Bewertungen, Farbmarkierungen und Rahmen werden innerhalb von Sekunden in Begleitdateien geschrieben. Aus: nur beim Abgleichen.</translation>
    </message>
    <message>
      <source>On: your judgements change the ranking before any training. Off: only the metric counts.</source>
      <translation>Ein: Ihre Urteile ändern die Rangfolge schon vor jedem Training. Aus: Allein die Metrik zählt.</translation>
    </message>
    <message>
      <source>One click or key answers and continues; type to find any tag.</source>
      <translation>Ein Klick oder eine Taste antwortet und geht weiter, Buchstaben finden jedes Schlagwort.</translation>
    </message>
    <message>
      <source>One kernel of all families side by side; nothing is learned from you</source>
      <translation>Ein einziger Kern aus allen Merkmalsfamilien; von Ihnen wird nichts gelernt</translation>
    </message>
    <message>
      <source>Online multi-modal, full kernels</source>
      <translation>Online multimodal, volle Kerne</translation>
    </message>
    <message>
      <source>Online multi-modal, low rank</source>
      <translation>Online multimodal, niedriger Rang</translation>
    </message>
    <message>
      <source>Only the suggested parts, or whole photos</source>
      <translation>Nur die vorgeschlagenen Ausschnitte oder ganze Fotos</translation>
    </message>
    <message>
      <source>Only this kind of patch, with its share of the total weight (Shift+H: the next kind)</source>
      <translation>Nur diese Art von Ausschnitten, mit ihrem Anteil am Gesamtgewicht (Umschalt+H: die nächste Art)</translation>
    </message>
    <message>
      <source>Only two photos that are both indexed can be compared: wait until they are.</source>
      <translation>Vergleichen lassen sich nur eingelesene Fotos: Warten Sie, bis beide eingelesen sind.</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>Öffnen</translation>
    </message>
    <message>
      <source>Open a folder of photos</source>
      <translation>Fotoordner öffnen</translation>
    </message>
    <message>
      <source>Open a folder of photos (Ctrl+O)</source>
      <translation>Fotoordner öffnen (Strg+O)</translation>
    </message>
    <message>
      <source>Open a folder of photos…</source>
      <translation>Fotoordner öffnen…</translation>
    </message>
    <message>
      <source>Open a lens</source>
      <translation>Blickwinkel öffnen</translation>
    </message>
    <message>
      <source>Open a lens…</source>
      <translation>Blickwinkel öffnen…</translation>
    </message>
    <message>
      <source>Open a library…</source>
      <translation>Bibliothek öffnen…</translation>
    </message>
    <message>
      <source>Open an ar&amp;chive…</source>
      <translation>&amp;Archiv öffnen…</translation>
    </message>
    <message>
      <source>Open an archive</source>
      <translation>Archiv öffnen</translation>
    </message>
    <message>
      <source>Open another library</source>
      <translation>Andere Bibliothek öffnen</translation>
    </message>
    <message>
      <source>Open another library…</source>
      <translation>Andere Bibliothek öffnen…</translation>
    </message>
    <message>
      <source>Open it read-only to look at the photos without changing anything?</source>
      <translation>Schreibgeschützt öffnen, um die Fotos anzusehen, ohne etwas zu ändern?</translation>
    </message>
    <message>
      <source>Open lens: {0}</source>
      <translation>Blickwinkel öffnen: {0}</translation>
    </message>
    <message>
      <source>Open read-only</source>
      <translation>Schreibgeschützt öffnen</translation>
    </message>
    <message>
      <source>Open suggestions: {0}</source>
      <translation>Offene Vorschläge: {0}</translation>
    </message>
    <message>
      <source>Open the library as it is</source>
      <translation>Bibliothek öffnen, wie sie ist</translation>
    </message>
    <message>
      <source>Open the library where it is</source>
      <translation>Bibliothek öffnen, wo sie ist</translation>
    </message>
    <message>
      <source>Opening a lens</source>
      <translation>Blickwinkel wird geöffnet</translation>
    </message>
    <message>
      <source>Opening the copy</source>
      <translation>Kopie wird geöffnet</translation>
    </message>
    <message>
      <source>Order of the axes</source>
      <translation>Reihenfolge der Achsen</translation>
    </message>
    <message>
      <source>Order of the channels</source>
      <translation>Reihenfolge der Kanäle</translation>
    </message>
    <message>
      <source>Other</source>
      <translation>Anderes</translation>
    </message>
    <message>
      <source>Other name of {0}: {1}</source>
      <translation>Synonym von {0}: {1}</translation>
    </message>
    <message>
      <source>Other names of {0}: {1}</source>
      <translation>Synonyme von {0}: {1}</translation>
    </message>
    <message>
      <source>Other values</source>
      <translation>Andere Werte</translation>
    </message>
    <message>
      <source>Others</source>
      <translation>Andere</translation>
    </message>
    <message>
      <source>Out of date: tags have changed since the audit. Audit again for current figures.</source>
      <translation>Veraltet: Schlagwörter wurden seit der Prüfung geändert. Prüfen Sie noch einmal, um aktuelle Zahlen zu erhalten.</translation>
    </message>
    <message>
      <source>Output</source>
      <translation>Ausgabe</translation>
    </message>
    <message>
      <source>Page to print (*.html);;JSON (*.json)</source>
      <translation>Seite zum Drucken (*.html);;JSON (*.json)</translation>
    </message>
    <message>
      <source>Parquet</source>
      <translation>Parquet</translation>
    </message>
    <message>
      <source>Parquet needs pyarrow: run pip install '.[tables]' in Focal's checkout.</source>
      <translation>Parquet braucht pyarrow: Führen Sie pip install '.[tables]' in Focals Quelltextordner aus.</translation>
    </message>
    <message>
      <source>Part of a photo</source>
      <translation>Ausschnitt eines Fotos</translation>
    </message>
    <message>
      <source>Part of the photo</source>
      <translation>Teil des Fotos</translation>
    </message>
    <message>
      <source>Partial order embedding</source>
      <translation>Einbettung von Teilordnungen</translation>
    </message>
    <message>
      <source>Parts (C)</source>
      <translation>Ausschnitte (C)</translation>
    </message>
    <message>
      <source>Pascal VOC image sets</source>
      <translation>Pascal-VOC-Bildmengen</translation>
    </message>
    <message>
      <source>Pasted image</source>
      <translation>Eingefügtes Bild</translation>
    </message>
    <message>
      <source>Path of an .onnx file</source>
      <translation>Pfad einer .onnx-Datei</translation>
    </message>
    <message>
      <source>Pause</source>
      <translation>Anhalten</translation>
    </message>
    <message>
      <source>Paused. Press the same key to continue, Esc to end.</source>
      <translation>Angehalten. Dieselbe Taste setzt fort, Esc beendet.</translation>
    </message>
    <message>
      <source>Person</source>
      <translation>Person</translation>
    </message>
    <message>
      <source>Photo</source>
      <translation>Foto</translation>
    </message>
    <message>
      <source>Photo by photo</source>
      <translation>Foto für Foto</translation>
    </message>
    <message>
      <source>Photo with a box</source>
      <translation>Foto mit Rahmen</translation>
    </message>
    <message>
      <source>Photo {0} of {1}</source>
      <translation>Foto {0} von {1}</translation>
    </message>
    <message>
      <source>Photos</source>
      <translation>Fotos</translation>
    </message>
    <message>
      <source>Photos and sidecars agree: nothing to sync.</source>
      <translation>Fotos und Begleitdateien stimmen überein: Es gibt nichts abzugleichen.</translation>
    </message>
    <message>
      <source>Photos are being described for boxes. This takes a while the first time.</source>
      <translation>Fotos werden für Rahmen beschrieben. Das dauert beim ersten Mal eine Weile.</translation>
    </message>
    <message>
      <source>Photos are being described for suggested boxes. This takes a while the first time.</source>
      <translation>Fotos werden für Rahmenvorschläge beschrieben. Das dauert beim ersten Mal eine Weile.</translation>
    </message>
    <message>
      <source>Photos are compared by the descriptors that are on. New descriptors are computed at the next indexing; Apply starts it at once. Rankings use a descriptor once all photos have it.</source>
      <translation>Fotos werden nach den eingeschalteten Deskriptoren verglichen. Neue Deskriptoren werden beim nächsten Einlesen berechnet; „Anwenden“ beginnt sofort damit. Rangfolgen verwenden einen Deskriptor, sobald alle Fotos ihn haben.</translation>
    </message>
    <message>
      <source>Photos are judged against photos of the library and their parts, not against an image from elsewhere.</source>
      <translation>Fotos werden gegen Fotos der Bibliothek und deren Ausschnitte beurteilt, nicht gegen ein Bild von anderswo.</translation>
    </message>
    <message>
      <source>Photos are near if a regression predicts similar tags for them</source>
      <translation>Fotos sind nahe, wenn eine Regression ähnliche Schlagwörter für sie vorhersagt</translation>
    </message>
    <message>
      <source>Photos are not described for searches by a region: run focal descriptors --on {0}, then focal index.</source>
      <translation>Die Fotos sind nicht für die Suche mit einem Ausschnitt beschrieben: Starten Sie focal descriptors --on {0}, dann focal index.</translation>
    </message>
    <message>
      <source>Photos are ranked by descriptors of the whole photo: leave at least one switched on.</source>
      <translation>Fotos werden nach Deskriptoren des ganzen Fotos geordnet: Lassen Sie mindestens einen davon eingeschaltet.</translation>
    </message>
    <message>
      <source>Photos are ranked by their most similar part, framed in each of them. Rest the pointer on a frame to enlarge that part.</source>
      <translation>Die Fotos sind nach ihrem ähnlichsten Ausschnitt geordnet, der in jedem eingerahmt ist. Ruht der Zeiger auf einem Rahmen, wird dieser Ausschnitt vergrößert.</translation>
    </message>
    <message>
      <source>Photos are still being described. The ranking appears when the first ones are ready.</source>
      <translation>Die Fotos werden noch beschrieben. Die Rangfolge erscheint, sobald die ersten fertig sind.</translation>
    </message>
    <message>
      <source>Photos below share no neighbours with the focal image. The line follows your tags and judgements.</source>
      <translation>Fotos darunter haben keine gemeinsamen Nachbarn mit dem Fokusbild. Die Linie folgt Ihren Schlagwörtern und Urteilen.</translation>
    </message>
    <message>
      <source>Photos can look like a focal image, not like a text.</source>
      <translation>Fotos können aussehen wie ein Fokusbild, nicht wie ein Text.</translation>
    </message>
    <message>
      <source>Photos can look like a whole photo, not like a part of one: press “Use the whole photo” first.</source>
      <translation>Fotos können wie ein ganzes Foto aussehen, nicht wie ein Ausschnitt: Drücken Sie zuerst „Ganzes Foto verwenden“.</translation>
    </message>
    <message>
      <source>Photos have no up</source>
      <translation>Fotos haben kein Oben</translation>
    </message>
    <message>
      <source>Photos keep their tags and judgements, and no file is changed. The old folder need not exist.</source>
      <translation>Die Fotos behalten Schlagwörter und Urteile, und keine Datei wird verändert. Der alte Ordner muss nicht mehr existieren.</translation>
    </message>
    <message>
      <source>Photos of the audit</source>
      <translation>Fotos der Prüfung</translation>
    </message>
    <message>
      <source>Photos stay where they are. Focal never changes, moves or uploads them.</source>
      <translation>Die Fotos bleiben, wo sie sind. Focal verändert oder verschiebt sie nie und lädt sie nicht hoch.</translation>
    </message>
    <message>
      <source>Photos that are unlike all others.</source>
      <translation>Fotos, die keinem anderen ähneln.</translation>
    </message>
    <message>
      <source>Photos that may carry the tag</source>
      <translation>Fotos, die das Schlagwort tragen könnten</translation>
    </message>
    <message>
      <source>Photos that no tag explains</source>
      <translation>Fotos, die kein Schlagwort erklärt</translation>
    </message>
    <message>
      <source>Photos that take longer are skipped.</source>
      <translation>Fotos, die länger brauchen, werden übersprungen.</translation>
    </message>
    <message>
      <source>Photos to check for each tag:</source>
      <translation>Fotos, die für jedes Schlagwort zu prüfen sind:</translation>
    </message>
    <message>
      <source>Photos were edited meanwhile: index the folders, and try again.</source>
      <translation>Fotos wurden inzwischen bearbeitet: Lesen Sie die Ordner neu ein, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
      <source>Photos were edited meanwhile: try again.</source>
      <translation>Fotos wurden inzwischen bearbeitet: Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
      <source>Photos were edited meanwhile: wait until they are indexed, then try again.</source>
      <translation>Fotos wurden inzwischen bearbeitet: Warten Sie, bis sie eingelesen sind, und versuchen Sie es dann noch einmal.</translation>
    </message>
    <message>
      <source>Photos with boxes that were not imported: {0}.</source>
      <translation>Fotos mit Rahmen, die nicht importiert wurden: {0}.</translation>
    </message>
    <message>
      <source>Photos with known tags, mixed into the questions, measure how well you answer.</source>
      <translation>Fotos mit bekannten Schlagwörtern, unter die Fragen gemischt, messen, wie gut Sie antworten.</translation>
    </message>
    <message>
      <source>Photos with more megapixels are skipped.</source>
      <translation>Fotos mit mehr Megapixeln werden übersprungen.</translation>
    </message>
    <message>
      <source>Photos with uncertain tags</source>
      <translation>Fotos mit unsicheren Schlagwörtern</translation>
    </message>
    <message>
      <source>Photoshop files of this compression</source>
      <translation>Photoshop-Dateien mit dieser Kompression</translation>
    </message>
    <message>
      <source>Photoshop files with 32 bits per channel</source>
      <translation>Photoshop-Dateien mit 32 Bit je Kanal</translation>
    </message>
    <message>
      <source>Pick {0}</source>
      <translation>{0} behalten</translation>
    </message>
    <message>
      <source>Picking photos</source>
      <translation>Fotos werden ausgewählt</translation>
    </message>
    <message>
      <source>Pin a tag</source>
      <translation>Schlagwort auf eine Taste legen</translation>
    </message>
    <message>
      <source>Pinning a tag</source>
      <translation>Schlagwort wird auf eine Taste gelegt</translation>
    </message>
    <message>
      <source>Place</source>
      <translation>Ort</translation>
    </message>
    <message>
      <source>Plane of scientific images</source>
      <translation>Ebene wissenschaftlicher Bilder</translation>
    </message>
    <message>
      <source>Planted photos with known tags:</source>
      <translation>Kontrollfotos mit bekannten Schlagwörtern:</translation>
    </message>
    <message>
      <source>Plug-ins</source>
      <translation>Erweiterungen</translation>
    </message>
    <message>
      <source>Plug-ins are Python packages with more descriptors, learners or file formats. Switch their descriptors on under Descriptors. Everything else works without a plug-in that fails.</source>
      <translation>Erweiterungen sind Python-Pakete mit weiteren Deskriptoren, Lernverfahren oder Dateiformaten. Schalten Sie ihre Deskriptoren unter Deskriptoren ein. Alles andere funktioniert ohne eine fehlerhafte Erweiterung.</translation>
    </message>
    <message>
      <source>Possible locations</source>
      <translation>Mögliche Orte</translation>
    </message>
    <message>
      <source>Possibly better: {0} % right, {1} % without learning.</source>
      <translation>Möglicherweise besser: {0} % richtig, ohne Lernen {1} %.</translation>
    </message>
    <message>
      <source>Pre&amp;view</source>
      <translation>&amp;Vorschau</translation>
    </message>
    <message>
      <source>Preparing searches by a region</source>
      <translation>Vorbereiten der Suche mit einem Ausschnitt</translation>
    </message>
    <message>
      <source>Preparing searches by a region: all photos are being described for them. The ranking appears when the first ones are ready.</source>
      <translation>Die Suche mit einem Ausschnitt wird vorbereitet: Alle Fotos werden dafür beschrieben. Die Rangfolge erscheint, sobald die ersten fertig sind.</translation>
    </message>
    <message>
      <source>Preparing suggested boxes</source>
      <translation>Rahmenvorschläge werden vorbereitet</translation>
    </message>
    <message>
      <source>Preparing the ranking</source>
      <translation>Rangfolge wird vorbereitet</translation>
    </message>
    <message>
      <source>Press Retrain (Ctrl+R) to apply your judgements to the ranking.</source>
      <translation>Klicken Sie auf „Neu trainieren“ (Strg+R), um Ihre Urteile auf die Rangfolge anzuwenden.</translation>
    </message>
    <message>
      <source>Press a digit or type; Enter continues</source>
      <translation>Ziffer drücken oder tippen; Enter geht weiter</translation>
    </message>
    <message>
      <source>Previous</source>
      <translation>Zurück</translation>
    </message>
    <message>
      <source>Previous group</source>
      <translation>Vorige Gruppe</translation>
    </message>
    <message>
      <source>Principal components of the above</source>
      <translation>Hauptkomponenten der obigen</translation>
    </message>
    <message>
      <source>Printer bitmaps that contain a JPEG or PNG</source>
      <translation>Druckerbitmaps mit eingebettetem JPEG oder PNG</translation>
    </message>
    <message>
      <source>Probably now in</source>
      <translation>Vermutlich jetzt in</translation>
    </message>
    <message>
      <source>Problem</source>
      <translation>Problem</translation>
    </message>
    <message>
      <source>Progress</source>
      <translation>Fortschritt</translation>
    </message>
    <message>
      <source>Proposals</source>
      <translation>Vorschläge</translation>
    </message>
    <message>
      <source>Pulls similar photos together and dissimilar ones apart, in the space of a kernel</source>
      <translation>Zieht ähnliche Fotos zusammen und unähnliche auseinander, im Raum eines Kerns</translation>
    </message>
    <message>
      <source>Purple</source>
      <translation>Violett</translation>
    </message>
    <message>
      <source>Put a box in the middle</source>
      <translation>Rahmen in die Mitte setzen</translation>
    </message>
    <message>
      <source>Put the line after the current photo</source>
      <translation>Linie hinter das aktuelle Foto setzen</translation>
    </message>
    <message>
      <source>Quit</source>
      <translation>Beenden</translation>
    </message>
    <message>
      <source>RCA</source>
      <translation>RCA</translation>
    </message>
    <message>
      <source>Random</source>
      <translation>Zufällig</translation>
    </message>
    <message>
      <source>Ranges contain the true value with a probability of 95 %. They are estimated from the answers to photos that were drawn at random from strata of confidence, by a beta-binomial model. Corrections made during the audit are included.</source>
      <translation>Die Bereiche enthalten den wahren Wert mit einer Wahrscheinlichkeit von 95 %. Ein Beta-Binomial-Modell schätzt sie aus den Antworten zu Fotos, die zufällig und nach Sicherheit geschichtet gezogen wurden. Berichtigungen während der Prüfung sind berücksichtigt.</translation>
    </message>
    <message>
      <source>Rank adjustment</source>
      <translation>Rangkorrektur</translation>
    </message>
    <message>
      <source>Rank by one focal image and compare two other photos: the framed one is nearer.</source>
      <translation>Ordnen Sie nach einem einzigen Fokusbild und vergleichen Sie zwei andere Fotos: Das umrahmte ist näher.</translation>
    </message>
    <message>
      <source>Rank by one focal image and select exactly two photos: the one you click last is nearer.</source>
      <translation>Ordnen Sie nach einem einzigen Fokusbild, und wählen Sie genau zwei Fotos aus: Das zuletzt angeklickte ist näher.</translation>
    </message>
    <message>
      <source>Rank by shared &amp;neighbours</source>
      <translation>Nach gemeinsamen &amp;Nachbarn ordnen</translation>
    </message>
    <message>
      <source>Rank by shared neighbours</source>
      <translation>Nach gemeinsamen Nachbarn ordnen</translation>
    </message>
    <message>
      <source>Rank by te&amp;xt</source>
      <translation>Nach einem Te&amp;xt ordnen</translation>
    </message>
    <message>
      <source>Rank by the &amp;pasted image</source>
      <translation>Nach dem &amp;eingefügten Bild ordnen</translation>
    </message>
    <message>
      <source>Rank by the &amp;selected photos</source>
      <translation>Nach den &amp;ausgewählten Fotos ordnen</translation>
    </message>
    <message>
      <source>Rank by the pasted image as &amp;well</source>
      <translation>&amp;Auch nach dem eingefügten Bild ordnen</translation>
    </message>
    <message>
      <source>Ranking</source>
      <translation>Rangfolge</translation>
    </message>
    <message>
      <source>Ranking by a text needs an image-and-text network: add one with focal networks --add, or in the settings under Networks.</source>
      <translation>Um nach einem Text zu ordnen, brauchen Sie ein Netz für Bilder und Texte: Fügen Sie eines in den Einstellungen unter „Netze“ hinzu (oder mit focal networks --add).</translation>
    </message>
    <message>
      <source>Rate and label {0}: {1}, {2}</source>
      <translation>{0} bewerten und farbig markieren: {1}, {2}</translation>
    </message>
    <message>
      <source>Rate them as rejected (R). Files stay unchanged.</source>
      <translation>Als verworfen bewerten (R). Dateien bleiben unverändert.</translation>
    </message>
    <message>
      <source>Rate {0}: {1}</source>
      <translation>{0} bewerten: {1}</translation>
    </message>
    <message>
      <source>Rate, reject, remove the rating</source>
      <translation>Bewerten, verwerfen, Bewertung entfernen</translation>
    </message>
    <message>
      <source>Ratin&amp;g</source>
      <translation>Be&amp;wertung</translation>
    </message>
    <message>
      <source>Rating</source>
      <translation>Bewertung</translation>
    </message>
    <message>
      <source>Ratio of scatters</source>
      <translation>Verhältnis der Streuungen</translation>
    </message>
    <message>
      <source>Re&amp;ject</source>
      <translation>A&amp;blehnen</translation>
    </message>
    <message>
      <source>Re&amp;ject the suggestion</source>
      <translation>Vorschlag able&amp;hnen</translation>
    </message>
    <message>
      <source>Re&amp;view</source>
      <translation>&amp;Durchsicht</translation>
    </message>
    <message>
      <source>Read preprocessor_config.json…</source>
      <translation>preprocessor_config.json lesen…</translation>
    </message>
    <message>
      <source>Reading</source>
      <translation>Lesen läuft</translation>
    </message>
    <message>
      <source>Reading judgements</source>
      <translation>Urteile werden gelesen</translation>
    </message>
    <message>
      <source>Reading metadata</source>
      <translation>Metadaten werden gelesen</translation>
    </message>
    <message>
      <source>Reading new photos</source>
      <translation>Neue Fotos werden gelesen</translation>
    </message>
    <message>
      <source>Reading photos</source>
      <translation>Fotos werden gelesen</translation>
    </message>
    <message>
      <source>Reading pinned tags</source>
      <translation>Schlagwörter der Tasten werden gelesen</translation>
    </message>
    <message>
      <source>Reading sidecars</source>
      <translation>Begleitdateien werden gelesen</translation>
    </message>
    <message>
      <source>Reading tags</source>
      <translation>Schlagwörter werden gelesen</translation>
    </message>
    <message>
      <source>Reading the plug-ins…</source>
      <translation>Erweiterungen werden gelesen…</translation>
    </message>
    <message>
      <source>Reading the training data</source>
      <translation>Trainingsdaten werden gelesen</translation>
    </message>
    <message>
      <source>Reading what is sound…</source>
      <translation>Unversehrte Daten werden gelesen…</translation>
    </message>
    <message>
      <source>Reading {0}</source>
      <translation>{0} wird gelesen</translation>
    </message>
    <message>
      <source>Reason</source>
      <translation>Grund</translation>
    </message>
    <message>
      <source>Recent</source>
      <translation>Zuletzt</translation>
    </message>
    <message>
      <source>Recognising</source>
      <translation>Erkennung läuft</translation>
    </message>
    <message>
      <source>Record a merge</source>
      <translation>Zusammenführung vermerken</translation>
    </message>
    <message>
      <source>Record the agreement with {0}</source>
      <translation>Übereinstimmung mit {0} festhalten</translation>
    </message>
    <message>
      <source>Record this agreement with the tags of others for the certificate</source>
      <translation>Diese Übereinstimmung mit den Schlagwörtern anderer für den Prüfbericht festhalten</translation>
    </message>
    <message>
      <source>Recording the agreement</source>
      <translation>Übereinstimmung wird festgehalten</translation>
    </message>
    <message>
      <source>Red</source>
      <translation>Rot</translation>
    </message>
    <message>
      <source>Redo</source>
      <translation>Wiederholen</translation>
    </message>
    <message>
      <source>Redone: {0}</source>
      <translation>Wiederholt: {0}</translation>
    </message>
    <message>
      <source>Refining rankings</source>
      <translation>Rangfolgen werden verfeinert</translation>
    </message>
    <message>
      <source>Refining rankings: learning from your photos</source>
      <translation>Rangfolgen werden verfeinert: Lernen aus Ihren Fotos</translation>
    </message>
    <message>
      <source>Refining rankings: {0}</source>
      <translation>Rangfolgen werden verfeinert: {0}</translation>
    </message>
    <message>
      <source>Regions in XMP</source>
      <translation>Regionen in XMP</translation>
    </message>
    <message>
      <source>Reject duplicates in all groups</source>
      <translation>Duplikate in allen Gruppen verwerfen</translation>
    </message>
    <message>
      <source>Reject duplicates in all {0} groups</source>
      <translation>Duplikate in allen {0} Gruppen verwerfen</translation>
    </message>
    <message>
      <source>Reject the current box</source>
      <translation>Den aktuellen Rahmen ablehnen</translation>
    </message>
    <message>
      <source>Reject the duplicates</source>
      <translation>Die Duplikate verwerfen</translation>
    </message>
    <message>
      <source>Reject {0}: {1}</source>
      <translation>Vorschlag ablehnen für {0}: {1}</translation>
    </message>
    <message>
      <source>Rejected</source>
      <translation>Verworfen</translation>
    </message>
    <message>
      <source>Rejecting</source>
      <translation>Vorschläge werden abgelehnt</translation>
    </message>
    <message>
      <source>Relevant component analysis in the space of a kernel</source>
      <translation>Analyse relevanter Komponenten im Raum eines Kerns</translation>
    </message>
    <message>
      <source>Relevant component analysis: shrinks what varies among similar photos</source>
      <translation>Analyse relevanter Komponenten: staucht, was unter ähnlichen Fotos schwankt</translation>
    </message>
    <message>
      <source>Relocate {0}</source>
      <translation>{0} zuordnen</translation>
    </message>
    <message>
      <source>Remind me to verify backups once a month</source>
      <translation>Jeden Monat an das Prüfen der Sicherungen erinnern</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>Entfernen</translation>
    </message>
    <message>
      <source>Remove a &amp;folder from the library…</source>
      <translation>&amp;Ordner aus der Bibliothek nehmen…</translation>
    </message>
    <message>
      <source>Remove a folder from the library</source>
      <translation>Ordner aus der Bibliothek nehmen</translation>
    </message>
    <message>
      <source>Remove a photo</source>
      <translation>Ein Foto entfernen</translation>
    </message>
    <message>
      <source>Remove from the library</source>
      <translation>Aus der Bibliothek nehmen</translation>
    </message>
    <message>
      <source>Remove from the library…</source>
      <translation>Aus der Bibliothek nehmen…</translation>
    </message>
    <message>
      <source>Remove it</source>
      <translation>Entfernen</translation>
    </message>
    <message>
      <source>Remove network</source>
      <translation>Netz entfernen</translation>
    </message>
    <message>
      <source>Remove the chosen network from the library; its file stays</source>
      <translation>Nimmt das gewählte Netz aus der Bibliothek; seine Datei bleibt</translation>
    </message>
    <message>
      <source>Remove the current box</source>
      <translation>Aktuellen Rahmen entfernen</translation>
    </message>
    <message>
      <source>Remove the label of {0}</source>
      <translation>Farbmarkierung entfernen von {0}</translation>
    </message>
    <message>
      <source>Remove the name of {0}</source>
      <translation>Namen von {0} entfernen</translation>
    </message>
    <message>
      <source>Remove the name {0}</source>
      <translation>Namen {0} entfernen</translation>
    </message>
    <message>
      <source>Remove the other name: {0}</source>
      <translation>Synonym entfernen: {0}</translation>
    </message>
    <message>
      <source>Remove the rating of {0}</source>
      <translation>Bewertung entfernen von {0}</translation>
    </message>
    <message>
      <source>Remove the rotation of {0}</source>
      <translation>Drehung von {0} aufheben</translation>
    </message>
    <message>
      <source>Remove the stars (if digits add stars)</source>
      <translation>Sterne entfernen (wenn Ziffern Sterne vergeben)</translation>
    </message>
    <message>
      <source>Remove this photo from the comparison (Shift+Backspace)</source>
      <translation>Dieses Foto aus dem Vergleich nehmen (Umschalt+Rücktaste)</translation>
    </message>
    <message>
      <source>Remove {0}</source>
      <translation>{0} entfernen</translation>
    </message>
    <message>
      <source>Remove {0} from {1}</source>
      <translation>{0} von {1} entfernen</translation>
    </message>
    <message>
      <source>Removing a box</source>
      <translation>Entfernen eines Rahmens</translation>
    </message>
    <message>
      <source>Removing the folder</source>
      <translation>Ordner wird herausgenommen</translation>
    </message>
    <message>
      <source>Removing the network</source>
      <translation>Netz wird entfernt</translation>
    </message>
    <message>
      <source>Rename</source>
      <translation>Umbenennen</translation>
    </message>
    <message>
      <source>Rename (F2)</source>
      <translation>Umbenennen (F2)</translation>
    </message>
    <message>
      <source>Rename a search</source>
      <translation>Suche umbenennen</translation>
    </message>
    <message>
      <source>Rename a tag</source>
      <translation>Schlagwort umbenennen</translation>
    </message>
    <message>
      <source>Rename a trail</source>
      <translation>Spur umbenennen</translation>
    </message>
    <message>
      <source>Rename metric: {0}</source>
      <translation>Metrik umbenennen: {0}</translation>
    </message>
    <message>
      <source>Rename search: {0} to {1}</source>
      <translation>Suche umbenennen: {0} in {1}</translation>
    </message>
    <message>
      <source>Rename tag: {0} to {1}</source>
      <translation>Schlagwort umbenennen: {0} in {1}</translation>
    </message>
    <message>
      <source>Rename the library</source>
      <translation>Bibliothek umbenennen</translation>
    </message>
    <message>
      <source>Rename the network</source>
      <translation>Netz umbenennen</translation>
    </message>
    <message>
      <source>Rename this library…</source>
      <translation>Diese Bibliothek umbenennen…</translation>
    </message>
    <message>
      <source>Rename trail: {0} to {1}</source>
      <translation>Spur umbenennen: {0} in {1}</translation>
    </message>
    <message>
      <source>Rename, other names…</source>
      <translation>Umbenennen, Synonyme…</translation>
    </message>
    <message>
      <source>Rename…</source>
      <translation>Umbenennen…</translation>
    </message>
    <message>
      <source>Renaming a search</source>
      <translation>Suche wird umbenannt</translation>
    </message>
    <message>
      <source>Renaming a tag</source>
      <translation>Schlagwort wird umbenannt</translation>
    </message>
    <message>
      <source>Renaming a trail</source>
      <translation>Spur wird umbenannt</translation>
    </message>
    <message>
      <source>Renaming the library</source>
      <translation>Bibliothek wird umbenannt</translation>
    </message>
    <message>
      <source>Renaming the metric</source>
      <translation>Metrik wird umbenannt</translation>
    </message>
    <message>
      <source>Renaming the network</source>
      <translation>Netz wird umbenannt</translation>
    </message>
    <message>
      <source>Repair</source>
      <translation>Reparieren</translation>
    </message>
    <message>
      <source>Repairing the library</source>
      <translation>Bibliothek wird repariert</translation>
    </message>
    <message>
      <source>Replace this photo with the next one (Space)</source>
      <translation>Durch das nächste Foto ersetzen (Leertaste)</translation>
    </message>
    <message>
      <source>Replace this photo with the previous one (Backspace)</source>
      <translation>Durch das vorige Foto ersetzen (Rücktaste)</translation>
    </message>
    <message>
      <source>Replace with the next or previous photo</source>
      <translation>Durch das nächste oder vorige Foto ersetzen</translation>
    </message>
    <message>
      <source>Reset all</source>
      <translation>Alle zurücksetzen</translation>
    </message>
    <message>
      <source>Reset la&amp;yout</source>
      <translation>&amp;Anordnung zurücksetzen</translation>
    </message>
    <message>
      <source>Reset to the default: {0}</source>
      <translation>Zurück zur Vorgabe: {0}</translation>
    </message>
    <message>
      <source>Resize it</source>
      <translation>Größe ändern</translation>
    </message>
    <message>
      <source>Restore</source>
      <translation>Wiederherstellen</translation>
    </message>
    <message>
      <source>Restores the backup into a temporary folder, opens it and checks it there</source>
      <translation>Stellt die Sicherung in einem temporären Ordner wieder her und prüft sie dort</translation>
    </message>
    <message>
      <source>Restoring</source>
      <translation>Wiederherstellung läuft</translation>
    </message>
    <message>
      <source>Restoring the library</source>
      <translation>Bibliothek wird wiederhergestellt</translation>
    </message>
    <message>
      <source>Retrain</source>
      <translation>Neu trainieren</translation>
    </message>
    <message>
      <source>Retrain &amp;automatically during Review</source>
      <translation>Während der Durchsicht &amp;automatisch neu trainieren</translation>
    </message>
    <message>
      <source>Retrain &amp;with</source>
      <translation>Neu trainieren &amp;mit</translation>
    </message>
    <message>
      <source>Retrain ({0} new)</source>
      <translation>Neu trainieren ({0} neu)</translation>
    </message>
    <message>
      <source>Retrain automatically during Review</source>
      <translation>Während der Durchsicht automatisch neu trainieren</translation>
    </message>
    <message>
      <source>Retrain with</source>
      <translation>Neu trainieren mit</translation>
    </message>
    <message>
      <source>Review</source>
      <translation>Durchsicht</translation>
    </message>
    <message>
      <source>Review asks about new kinds</source>
      <translation>Durchsicht fragt nach neuen Arten</translation>
    </message>
    <message>
      <source>Review boxes of {0} tags: {1}, not {2}</source>
      <translation>Durchsicht von Rahmen mit {0} Schlagwörtern: {1}, nicht {2}</translation>
    </message>
    <message>
      <source>Review boxes of {0}: not {1}</source>
      <translation>Rahmen durchsehen, {0}: {1} nicht</translation>
    </message>
    <message>
      <source>Review boxes of {0}: {1}</source>
      <translation>Rahmen durchsehen, {0}: {1}</translation>
    </message>
    <message>
      <source>Review boxes of {0}: {1}, not {2}</source>
      <translation>Rahmen durchsehen, {0}: {1}, {2} nicht</translation>
    </message>
    <message>
      <source>Review new kinds there</source>
      <translation>Neue Arten dort durchsehen</translation>
    </message>
    <message>
      <source>Review of</source>
      <translation>Durchsicht von</translation>
    </message>
    <message>
      <source>Review {0}: not {1}</source>
      <translation>{0} durchsehen: nicht {1}</translation>
    </message>
    <message>
      <source>Review {0}: {1}</source>
      <translation>Durchsicht {0}: {1}</translation>
    </message>
    <message>
      <source>Review {0}: {1}, not {2}</source>
      <translation>{0} durchsehen: {1}, nicht {2}</translation>
    </message>
    <message>
      <source>Right among the first</source>
      <translation>Richtig unter den ersten</translation>
    </message>
    <message>
      <source>Right first suggestions for {0} photos with hidden tags</source>
      <translation>Richtige erste Vorschläge für {0} Fotos mit verborgenen Schlagwörtern</translation>
    </message>
    <message>
      <source>Right metric</source>
      <translation>Rechte Metrik</translation>
    </message>
    <message>
      <source>Right, of the tagged</source>
      <translation>Richtig, von den verschlagworteten</translation>
    </message>
    <message>
      <source>Right-click: {0} other paths from here</source>
      <translation>Rechtsklick: {0} andere Wege von hier</translation>
    </message>
    <message>
      <source>Rotate &amp;left</source>
      <translation>Nach &amp;links drehen</translation>
    </message>
    <message>
      <source>Rotate &amp;right</source>
      <translation>Nach &amp;rechts drehen</translation>
    </message>
    <message>
      <source>Rotate {0} left</source>
      <translation>{0} nach links drehen</translation>
    </message>
    <message>
      <source>Rotate {0} right</source>
      <translation>{0} nach rechts drehen</translation>
    </message>
    <message>
      <source>Rotate {0} upside down</source>
      <translation>{0} auf den Kopf drehen</translation>
    </message>
    <message>
      <source>Rotating</source>
      <translation>Fotos werden gedreht</translation>
    </message>
    <message>
      <source>Rounds</source>
      <translation>Runden</translation>
    </message>
    <message>
      <source>S and D judge photos against all of these. Shift+S adds the selection, Shift+D adds it as a counterexample.</source>
      <translation>S und D beurteilen Fotos gegenüber allen diesen Beispielen. Umschalt+S nimmt die Auswahl als Beispiel hinzu, Umschalt+D als Gegenbeispiel.</translation>
    </message>
    <message>
      <source>S&amp;maller</source>
      <translation>&amp;Kleiner</translation>
    </message>
    <message>
      <source>S: fits this text. D: does not fit. Double-click or Enter: set as focal image.</source>
      <translation>S: passt zu diesem Text. D: passt nicht. Doppelklick oder Enter: zum Fokusbild machen.</translation>
    </message>
    <message>
      <source>S: similar. D: not similar. Double-click or Enter: set as focal image.</source>
      <translation>S: ähnlich. D: unähnlich. Doppelklick oder Enter: zum Fokusbild machen.</translation>
    </message>
    <message>
      <source>S: this part is similar. D: it is not similar.</source>
      <translation>S: Dieser Ausschnitt ist ähnlich. D: Er ist nicht ähnlich.</translation>
    </message>
    <message>
      <source>SCML</source>
      <translation>SCML</translation>
    </message>
    <message>
      <source>SIFT</source>
      <translation>SIFT</translation>
    </message>
    <message>
      <source>SIFT, 1000 words</source>
      <translation>SIFT, 1000 Wörter</translation>
    </message>
    <message>
      <source>SIFT, 1000 words, 50 components</source>
      <translation>SIFT, 1000 Wörter, 50 Komponenten</translation>
    </message>
    <message>
      <source>SIFT, 200 words</source>
      <translation>SIFT, 200 Wörter</translation>
    </message>
    <message>
      <source>SIFT, 200 words, 50 components</source>
      <translation>SIFT, 200 Wörter, 50 Komponenten</translation>
    </message>
    <message>
      <source>SQLite {0} is too old: install a Python with SQLite 3.37 or later.</source>
      <translation>SQLite {0} ist zu alt: Installieren Sie ein Python mit SQLite 3.37 oder neuer.</translation>
    </message>
    <message>
      <source>Same file</source>
      <translation>Dieselbe Datei</translation>
    </message>
    <message>
      <source>Same part of a photo</source>
      <translation>Derselbe Teil eines Fotos</translation>
    </message>
    <message>
      <source>Same picture</source>
      <translation>Dasselbe Bild</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>Speichern</translation>
    </message>
    <message>
      <source>Save as…</source>
      <translation>Speichern unter…</translation>
    </message>
    <message>
      <source>Save search: {0}</source>
      <translation>Suche speichern: {0}</translation>
    </message>
    <message>
      <source>Save the answers and continue</source>
      <translation>Antworten speichern und weiter</translation>
    </message>
    <message>
      <source>Save the flipped photos, leave the rest open</source>
      <translation>Geänderte Antworten speichern, den Rest offen lassen</translation>
    </message>
    <message>
      <source>Save the flipped photos, leave the rest open (Tab)</source>
      <translation>Geänderte Antworten speichern, den Rest offen lassen (Tab)</translation>
    </message>
    <message>
      <source>Save the library as an archive</source>
      <translation>Bibliothek als Archiv speichern</translation>
    </message>
    <message>
      <source>Save the metric as a file for other people's photos, or for other programs</source>
      <translation>Die Metrik als Datei für die Fotos anderer oder für andere Programme speichern</translation>
    </message>
    <message>
      <source>Save the picture</source>
      <translation>Bild speichern</translation>
    </message>
    <message>
      <source>Save the picture…</source>
      <translation>Bild speichern…</translation>
    </message>
    <message>
      <source>Save the search</source>
      <translation>Suche speichern</translation>
    </message>
    <message>
      <source>Save this search</source>
      <translation>Diese Suche speichern</translation>
    </message>
    <message>
      <source>Save this trail</source>
      <translation>Diese Spur speichern</translation>
    </message>
    <message>
      <source>Save this trail…</source>
      <translation>Diese Spur speichern…</translation>
    </message>
    <message>
      <source>Save trail: {0}</source>
      <translation>Spur speichern: {0}</translation>
    </message>
    <message numerus="yes">
      <source>Save: %n have the tag</source>
      <translation>
        <numerusform>Speichern: eines hat das Schlagwort</numerusform>
        <numerusform>Speichern: %n haben das Schlagwort</numerusform>
      </translation>
    </message>
    <message>
      <source>Saved in {0}: {1}.</source>
      <translation>In {0} gespeichert: {1}.</translation>
    </message>
    <message>
      <source>Saved searches</source>
      <translation>Gespeicherte Suchen</translation>
    </message>
    <message>
      <source>Saving a search</source>
      <translation>Suche wird gespeichert</translation>
    </message>
    <message>
      <source>Saving a trail</source>
      <translation>Spur wird gespeichert</translation>
    </message>
    <message>
      <source>Saving judgements</source>
      <translation>Urteile werden gespeichert</translation>
    </message>
    <message>
      <source>Saving photos</source>
      <translation>Fotos werden gespeichert</translation>
    </message>
    <message>
      <source>Saving the answers</source>
      <translation>Antworten werden gespeichert</translation>
    </message>
    <message>
      <source>Saving the library</source>
      <translation>Bibliothek wird gespeichert</translation>
    </message>
    <message>
      <source>Saving the scoreboard</source>
      <translation>Auswertung wird gespeichert</translation>
    </message>
    <message>
      <source>Saving the trail</source>
      <translation>Speichern der Spur</translation>
    </message>
    <message>
      <source>Scale</source>
      <translation>Skalierung</translation>
    </message>
    <message>
      <source>Scale of R, G and B</source>
      <translation>Skalierung von R, G und B</translation>
    </message>
    <message>
      <source>Scanning files</source>
      <translation>Dateien werden durchsucht</translation>
    </message>
    <message>
      <source>Scene layout</source>
      <translation>Aufbau der Szene</translation>
    </message>
    <message>
      <source>Scene layout, 50 components</source>
      <translation>Aufbau der Szene, 50 Komponenten</translation>
    </message>
    <message>
      <source>Scoreboard</source>
      <translation>Auswertung</translation>
    </message>
    <message>
      <source>Scrolled to the current suggestion. A accepts, X rejects.</source>
      <translation>Zum aktuellen Vorschlag gescrollt. A nimmt ihn an, X lehnt ihn ab.</translation>
    </message>
    <message>
      <source>Search by a &amp;part of the photo</source>
      <translation>Mit einem &amp;Ausschnitt des Fotos suchen</translation>
    </message>
    <message>
      <source>Search by a part of the photo (R)</source>
      <translation>Mit einem Ausschnitt des Fotos suchen (R)</translation>
    </message>
    <message>
      <source>Search by this part</source>
      <translation>Mit diesem Ausschnitt suchen</translation>
    </message>
    <message>
      <source>Search in a folder…</source>
      <translation>In einem Ordner suchen…</translation>
    </message>
    <message>
      <source>Searching</source>
      <translation>Suche läuft</translation>
    </message>
    <message>
      <source>Searching for libraries</source>
      <translation>Bibliotheken werden gesucht</translation>
    </message>
    <message>
      <source>Searching for missing photos</source>
      <translation>Fehlende Fotos werden gesucht</translation>
    </message>
    <message>
      <source>Searching for their files</source>
      <translation>Suche nach ihren Dateien</translation>
    </message>
    <message>
      <source>Searching for their files…</source>
      <translation>Ihre Dateien werden gesucht…</translation>
    </message>
    <message>
      <source>Second backup folder</source>
      <translation>Zweiter Sicherungsordner</translation>
    </message>
    <message>
      <source>Seconds between the photos of a burst</source>
      <translation>Sekunden zwischen den Fotos einer Serie</translation>
    </message>
    <message>
      <source>Select</source>
      <translation>Auswählen</translation>
    </message>
    <message>
      <source>Select &amp;all</source>
      <translation>&amp;Alles auswählen</translation>
    </message>
    <message>
      <source>Select a photo to compare with.</source>
      <translation>Wählen Sie ein Foto zum Vergleichen aus.</translation>
    </message>
    <message>
      <source>Select for a goal</source>
      <translation>Für ein Ziel auswählen</translation>
    </message>
    <message>
      <source>Select in the grid</source>
      <translation>Im Raster auswählen</translation>
    </message>
    <message>
      <source>Select one photo to see why it is close, or two to see why one is closer.</source>
      <translation>Wählen Sie ein Foto aus, um zu sehen, warum es nahe ist, oder zwei, um zu sehen, warum eines näher ist.</translation>
    </message>
    <message>
      <source>Select photos first, or point at a photo.</source>
      <translation>Wählen Sie zuerst die Fotos aus, oder zeigen Sie auf eines.</translation>
    </message>
    <message>
      <source>Select photos first: Shift+drag around them, or click them.</source>
      <translation>Wählen Sie zuerst Fotos aus: Umranden Sie sie mit Umschalt+Ziehen, oder klicken Sie sie an.</translation>
    </message>
    <message>
      <source>Select photos to judge, or point at a photo.</source>
      <translation>Wählen Sie die Fotos aus, die beurteilt werden sollen, oder zeigen Sie mit der Maus auf eines.</translation>
    </message>
    <message>
      <source>Select photos to tag first: Ctrl+click, or the arrow keys.</source>
      <translation>Wählen Sie zuerst die Fotos aus, die verschlagwortet werden sollen: Strg+Klick oder Pfeiltasten.</translation>
    </message>
    <message>
      <source>Select several</source>
      <translation>Mehrere auswählen</translation>
    </message>
    <message>
      <source>Select the &amp;focal image too</source>
      <translation>Das &amp;Fokusbild mit auswählen</translation>
    </message>
    <message>
      <source>Select the current photo</source>
      <translation>Aktuelles Foto auswählen</translation>
    </message>
    <message>
      <source>Select the photos to export first: Ctrl+click, or Ctrl+A for all.</source>
      <translation>Wählen Sie zuerst die Fotos zum Exportieren aus: Strg+Klick oder Strg+A für alle.</translation>
    </message>
    <message>
      <source>Select the photos to label first.</source>
      <translation>Wählen Sie zuerst die Fotos aus, die eine Farbmarkierung bekommen sollen.</translation>
    </message>
    <message>
      <source>Select the photos to rank by first: Ctrl+click, or Shift and the arrow keys.</source>
      <translation>Wählen Sie zuerst die Fotos aus, nach denen geordnet werden soll: Strg+Klick oder Umschalt und die Pfeiltasten.</translation>
    </message>
    <message>
      <source>Select the photos to rate first.</source>
      <translation>Wählen Sie zuerst die Fotos aus, die bewertet werden sollen.</translation>
    </message>
    <message>
      <source>Select the photos to rotate first.</source>
      <translation>Wählen Sie zuerst die Fotos aus, die gedreht werden sollen.</translation>
    </message>
    <message>
      <source>Select the photos to tag first.</source>
      <translation>Wählen Sie zuerst die Fotos aus, die verschlagwortet werden sollen.</translation>
    </message>
    <message>
      <source>Selected</source>
      <translation>Ausgewählt</translation>
    </message>
    <message>
      <source>Selected: {0}.</source>
      <translation>Ausgewählt: {0}.</translation>
    </message>
    <message>
      <source>Selecting photos</source>
      <translation>Fotos werden ausgewählt</translation>
    </message>
    <message>
      <source>Selection</source>
      <translation>Auswahl</translation>
    </message>
    <message>
      <source>Selects some of the photos that the grid shows.</source>
      <translation>Wählt einige der Fotos aus, die das Raster zeigt.</translation>
    </message>
    <message>
      <source>Set</source>
      <translation>Festlegen</translation>
    </message>
    <message>
      <source>Set as focal &amp;image</source>
      <translation>Zum &amp;Fokusbild machen</translation>
    </message>
    <message>
      <source>Set as focal image</source>
      <translation>Zum Fokusbild machen</translation>
    </message>
    <message>
      <source>Set focal image with one clic&amp;k</source>
      <translation>Fokusbild mit einem Klic&amp;k setzen</translation>
    </message>
    <message>
      <source>Set {0} as focal image</source>
      <translation>{0} zum Fokusbild machen</translation>
    </message>
    <message>
      <source>Settings</source>
      <translation>Einstellungen</translation>
    </message>
    <message>
      <source>Settings (*.json)</source>
      <translation>Einstellungen (*.json)</translation>
    </message>
    <message numerus="yes">
      <source>Settle %n differences</source>
      <translation>
        <numerusform>Eine Abweichung entscheiden</numerusform>
        <numerusform>%n Abweichungen entscheiden</numerusform>
      </translation>
    </message>
    <message>
      <source>Settle {0}: no</source>
      <translation>{0} entscheiden: nein</translation>
    </message>
    <message>
      <source>Settle {0}: yes</source>
      <translation>{0} entscheiden: ja</translation>
    </message>
    <message>
      <source>Settling a disagreement</source>
      <translation>Eine Abweichung wird entschieden</translation>
    </message>
    <message>
      <source>Shape</source>
      <translation>Form</translation>
    </message>
    <message>
      <source>Shape and edges</source>
      <translation>Form und Kanten</translation>
    </message>
    <message>
      <source>Share a metric</source>
      <translation>Metrik weitergeben</translation>
    </message>
    <message>
      <source>Shared neighbours</source>
      <translation>Gemeinsame Nachbarn</translation>
    </message>
    <message>
      <source>Share…</source>
      <translation>Weitergeben…</translation>
    </message>
    <message>
      <source>Sharing a metric</source>
      <translation>Metrik wird weitergegeben</translation>
    </message>
    <message>
      <source>Shift+Click</source>
      <translation>Umschalt+Klick</translation>
    </message>
    <message>
      <source>Should {0} be tagged {1}?</source>
      <translation>Soll {0} das Schlagwort {1} haben?</translation>
    </message>
    <message>
      <source>Show all messages of this session</source>
      <translation>Alle Meldungen dieser Sitzung zeigen</translation>
    </message>
    <message>
      <source>Show all photos</source>
      <translation>Alle Fotos zeigen</translation>
    </message>
    <message>
      <source>Show all photos with the tag {0}</source>
      <translation>Alle Fotos mit dem Schlagwort {0} zeigen</translation>
    </message>
    <message>
      <source>Show all tags of these photos</source>
      <translation>Alle Schlagwörter dieser Fotos zeigen</translation>
    </message>
    <message>
      <source>Show in grid</source>
      <translation>Im Raster zeigen</translation>
    </message>
    <message>
      <source>Show in the &amp;file manager</source>
      <translation>In der &amp;Dateiverwaltung zeigen</translation>
    </message>
    <message>
      <source>Show in the certificate</source>
      <translation>Im Prüfbericht zeigen</translation>
    </message>
    <message>
      <source>Show only the selected photos, in Browse</source>
      <translation>Nur die ausgewählten Fotos unter „Stöbern“ zeigen</translation>
    </message>
    <message>
      <source>Show photos</source>
      <translation>Fotos zeigen</translation>
    </message>
    <message>
      <source>Show place</source>
      <translation>Ort zeigen</translation>
    </message>
    <message>
      <source>Show the boxes of these photos instead of the photos (Ctrl+Shift+R)</source>
      <translation>Statt dieser Fotos ihre Rahmen zeigen (Strg+Umschalt+R)</translation>
    </message>
    <message>
      <source>Show the first three principal components; the right button or Ctrl and arrow keys turn them (Z)</source>
      <translation>Die ersten drei Hauptkomponenten zeigen; die rechte Maustaste oder Strg und Pfeiltasten drehen sie (Z)</translation>
    </message>
    <message>
      <source>Show the list</source>
      <translation>Liste zeigen</translation>
    </message>
    <message>
      <source>Show the photos</source>
      <translation>Fotos zeigen</translation>
    </message>
    <message>
      <source>Show the photos of this group selected in the grid (Enter)</source>
      <translation>Die Fotos dieser Gruppe ausgewählt im Raster zeigen (Enter)</translation>
    </message>
    <message numerus="yes">
      <source>Show the remaining %n photos, most likely first</source>
      <translation>
        <numerusform>Das übrige Foto zeigen</numerusform>
        <numerusform>Die übrigen %n Fotos zeigen, die wahrscheinlichsten zuerst</numerusform>
      </translation>
    </message>
    <message>
      <source>Show the result</source>
      <translation>Ergebnis zeigen</translation>
    </message>
    <message>
      <source>Show the whole map (0)</source>
      <translation>Ganze Karte zeigen (0)</translation>
    </message>
    <message>
      <source>Show them</source>
      <translation>Zeigen</translation>
    </message>
    <message>
      <source>Show which parts of this photo count (H)</source>
      <translation>Zeigen, welche Teile dieses Fotos zählen (H)</translation>
    </message>
    <message>
      <source>Show which parts of this photo match the selected one (M)</source>
      <translation>Zeigen, welche Teile dieses Fotos zum ausgewählten passen (M)</translation>
    </message>
    <message>
      <source>Showing photos</source>
      <translation>Fotos werden gezeigt</translation>
    </message>
    <message>
      <source>Shrinks the directions in which photos with the same tags differ</source>
      <translation>Staucht die Richtungen, in denen sich Fotos mit denselben Schlagwörtern unterscheiden</translation>
    </message>
    <message>
      <source>Shrinks what varies within groups and stretches what varies between them</source>
      <translation>Staucht, was innerhalb von Gruppen schwankt, und streckt, was zwischen ihnen schwankt</translation>
    </message>
    <message>
      <source>Side by side, up to four (C)</source>
      <translation>Nebeneinander, bis zu vier (C)</translation>
    </message>
    <message>
      <source>Sidecar for all</source>
      <translation>Begleitdatei für alle</translation>
    </message>
    <message>
      <source>Sidecars that cannot be read or written</source>
      <translation>Begleitdateien, die sich nicht lesen oder schreiben lassen</translation>
    </message>
    <message>
      <source>Sigma raw</source>
      <translation>Sigma-Raw</translation>
    </message>
    <message>
      <source>Signs of Fisher vectors, for suggestions</source>
      <translation>Vorzeichen der Fisher-Vektoren, für Vorschläge</translation>
    </message>
    <message>
      <source>Similar</source>
      <translation>Ähnlich</translation>
    </message>
    <message>
      <source>Similar (S)</source>
      <translation>Ähnlich (S)</translation>
    </message>
    <message>
      <source>Similar boxes named differently:</source>
      <translation>Ähnliche Rahmen mit anderen Namen:</translation>
    </message>
    <message>
      <source>Similar photos tagged differently:</source>
      <translation>Ähnliche Fotos mit anderen Schlagwörtern:</translation>
    </message>
    <message>
      <source>Similar photos tagged {0}.</source>
      <translation>Ähnliche Fotos mit dem Schlagwort {0}.</translation>
    </message>
    <message>
      <source>Similar photos tagged {0}. If one is wrong, its digit or a click removes the tag.</source>
      <translation>Ähnliche Fotos mit dem Schlagwort {0}. Ist eines falsch, entfernt seine Ziffer oder ein Klick das Schlagwort.</translation>
    </message>
    <message>
      <source>Similar photos taken within this many seconds form a burst; 0: within the same second.</source>
      <translation>Ähnliche Fotos, die innerhalb von so vielen Sekunden entstanden sind, bilden eine Serie; 0: in derselben Sekunde.</translation>
    </message>
    <message>
      <source>Similar photos with the tag suggested for the current photo (hold W)</source>
      <translation>Ähnliche Fotos mit dem Schlagwort, das für das aktuelle Foto vorgeschlagen ist (W halten)</translation>
    </message>
    <message>
      <source>Similar photos with this tag</source>
      <translation>Ähnliche Fotos mit diesem Schlagwort</translation>
    </message>
    <message>
      <source>Single click on a photo</source>
      <translation>Einfacher Klick auf ein Foto</translation>
    </message>
    <message>
      <source>Size</source>
      <translation>Größe</translation>
    </message>
    <message>
      <source>Size of the photos</source>
      <translation>Größe der Fotos</translation>
    </message>
    <message>
      <source>Size of the photos (Ctrl+wheel, + and -)</source>
      <translation>Größe der Fotos (Strg+Mausrad, + und -)</translation>
    </message>
    <message>
      <source>Skip this group</source>
      <translation>Diese Gruppe überspringen</translation>
    </message>
    <message>
      <source>Skip this group (Space)</source>
      <translation>Diese Gruppe überspringen (Leertaste)</translation>
    </message>
    <message>
      <source>Slides&amp;how</source>
      <translation>&amp;Diaschau</translation>
    </message>
    <message>
      <source>Slideshow: random order</source>
      <translation>Diaschau: zufällige Folge</translation>
    </message>
    <message>
      <source>Slideshow: seconds per photo</source>
      <translation>Diaschau: Sekunden je Foto</translation>
    </message>
    <message>
      <source>Small shapes</source>
      <translation>Kleine Formen</translation>
    </message>
    <message>
      <source>Small shapes, 32 components and place</source>
      <translation>Kleine Formen, 32 Komponenten und Ort</translation>
    </message>
    <message>
      <source>So&amp;rt</source>
      <translation>So&amp;rtieren</translation>
    </message>
    <message>
      <source>Space for backups</source>
      <translation>Platz für Sicherungen</translation>
    </message>
    <message>
      <source>Spreads dissimilar photos while similar ones stay near</source>
      <translation>Rückt unähnliche Fotos auseinander, während ähnliche nahe bleiben</translation>
    </message>
    <message>
      <source>Stack duplicates in rankings</source>
      <translation>Duplikate in Rangfolgen stapeln</translation>
    </message>
    <message>
      <source>Start audit: {0}</source>
      <translation>Prüfung beginnen: {0}</translation>
    </message>
    <message>
      <source>State</source>
      <translation>Zustand</translation>
    </message>
    <message>
      <source>Status</source>
      <translation>Status</translation>
    </message>
    <message>
      <source>Step of the trail: {0}</source>
      <translation>Schritt der Spur: {0}</translation>
    </message>
    <message>
      <source>Still missing</source>
      <translation>Fehlen noch</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>Anhalten</translation>
    </message>
    <message>
      <source>Stop and leave it in place</source>
      <translation>Anhalten und am alten Ort lassen</translation>
    </message>
    <message>
      <source>Stop verifying</source>
      <translation>Prüfung abbrechen</translation>
    </message>
    <message>
      <source>Stretches what tags predict and shrinks what they leave open</source>
      <translation>Streckt, was Schlagwörter vorhersagen, und staucht, was sie offenlassen</translation>
    </message>
    <message>
      <source>Suggest tags</source>
      <translation>Schlagwörter vorschlagen</translation>
    </message>
    <message>
      <source>Suggested b&amp;oxes</source>
      <translation>Vor&amp;geschlagene Rahmen</translation>
    </message>
    <message>
      <source>Suggested boxes</source>
      <translation>Vorgeschlagene Rahmen</translation>
    </message>
    <message>
      <source>Suggested tags</source>
      <translation>Vorgeschlagene Schlagwörter</translation>
    </message>
    <message>
      <source>Suggesting again</source>
      <translation>Schlagwörter werden neu vorgeschlagen</translation>
    </message>
    <message>
      <source>Suggesting boxes</source>
      <translation>Rahmen werden vorgeschlagen</translation>
    </message>
    <message>
      <source>Suggesting tags</source>
      <translation>Schlagwörter werden vorgeschlagen</translation>
    </message>
    <message>
      <source>Suggestion</source>
      <translation>Vorschlag</translation>
    </message>
    <message>
      <source>Suggestion accuracy {0:.0f} %</source>
      <translation>Treffsicherheit der Vorschläge {0:.0f} %</translation>
    </message>
    <message>
      <source>Suggestions</source>
      <translation>Vorschläge</translation>
    </message>
    <message>
      <source>Suggestions for the selection: A accepts, X rejects.</source>
      <translation>Vorschläge für die Auswahl: A nimmt an, X lehnt ab.</translation>
    </message>
    <message>
      <source>Switch to the whole library</source>
      <translation>Zur ganzen Bibliothek wechseln</translation>
    </message>
    <message>
      <source>Sync</source>
      <translation>Abgleichen</translation>
    </message>
    <message>
      <source>Sync with XMP sidecars</source>
      <translation>Mit XMP-Begleitdateien abgleichen</translation>
    </message>
    <message>
      <source>Syncing with sidecars</source>
      <translation>Abgleich mit Begleitdateien</translation>
    </message>
    <message>
      <source>TIFF files of this compression are not supported: save the image as PNG.</source>
      <translation>TIFF-Dateien mit dieser Kompression werden nicht unterstützt: Speichern Sie das Bild als PNG.</translation>
    </message>
    <message>
      <source>TIFF files of this kind are not supported: save the image as PNG.</source>
      <translation>TIFF-Dateien dieser Art werden nicht unterstützt: Speichern Sie das Bild als PNG.</translation>
    </message>
    <message>
      <source>Tag</source>
      <translation>Schlagwort</translation>
    </message>
    <message>
      <source>Tag a few photos first.</source>
      <translation>Verschlagworten Sie zuerst einige Fotos.</translation>
    </message>
    <message>
      <source>Tag a few photos of each kind. Focal then suggests tags for the rest.</source>
      <translation>Verschlagworten Sie von jeder Art einige Fotos. Focal schlägt dann Schlagwörter für den Rest vor.</translation>
    </message>
    <message>
      <source>Tag photos quickly, one tag at a time (Ctrl+Shift+G)</source>
      <translation>Fotos schnell verschlagworten, ein Schlagwort nach dem anderen (Strg+Umschalt+G)</translation>
    </message>
    <message>
      <source>Tag ratio</source>
      <translation>Schlagwortverhältnis</translation>
    </message>
    <message>
      <source>Tag ratio, kernel</source>
      <translation>Schlagwortverhältnis, Kern</translation>
    </message>
    <message>
      <source>Tag scores</source>
      <translation>Schlagwortbewertungen</translation>
    </message>
    <message>
      <source>Tag the demo album</source>
      <translation>Beispielalbum verschlagworten</translation>
    </message>
    <message>
      <source>Tag the others</source>
      <translation>Die anderen verschlagworten</translation>
    </message>
    <message>
      <source>Tag the selection</source>
      <translation>Auswahl verschlagworten</translation>
    </message>
    <message>
      <source>Tag them in Review</source>
      <translation>In der Durchsicht verschlagworten</translation>
    </message>
    <message>
      <source>Tag {0}: {1}</source>
      <translation>{0} verschlagworten: {1}</translation>
    </message>
    <message>
      <source>Tagged {0}</source>
      <translation>{0} vergeben</translation>
    </message>
    <message>
      <source>Tagging</source>
      <translation>Schlagwörter werden vergeben</translation>
    </message>
    <message>
      <source>Tags</source>
      <translation>Schlagwörter</translation>
    </message>
    <message>
      <source>Tags and judgements that are probably wrong (Ctrl+Shift+K)</source>
      <translation>Schlagwörter und Urteile, die wahrscheinlich falsch sind (Strg+Umschalt+K)</translation>
    </message>
    <message>
      <source>Tags and suggestions</source>
      <translation>Schlagwörter und Vorschläge</translation>
    </message>
    <message>
      <source>Tags are not read from {0}: choose another format.</source>
      <translation>Aus {0} werden keine Schlagwörter gelesen: Wählen Sie ein anderes Format.</translation>
    </message>
    <message>
      <source>Tags found in files</source>
      <translation>In Dateien gefundene Schlagwörter</translation>
    </message>
    <message>
      <source>Tags of the selection</source>
      <translation>Schlagwörter der Auswahl</translation>
    </message>
    <message>
      <source>Tags related to those of the selected photos: {0}.</source>
      <translation>Verwandt mit den Schlagwörtern der ausgewählten Fotos: {0}.</translation>
    </message>
    <message>
      <source>Tags suggested for {0}: A accepts, X rejects.</source>
      <translation>Schlagwörter vorgeschlagen für {0}: A nimmt an, X lehnt ab.</translation>
    </message>
    <message>
      <source>Tags that Review asks about</source>
      <translation>Schlagwörter, nach denen die Durchsicht fragt</translation>
    </message>
    <message>
      <source>Tags that Review leaves out</source>
      <translation>Schlagwörter, die die Durchsicht auslässt</translation>
    </message>
    <message>
      <source>Tags that often occur with these</source>
      <translation>Schlagwörter, die oft mit diesen vorkommen</translation>
    </message>
    <message>
      <source>Take over {0}</source>
      <translation>{0} importieren</translation>
    </message>
    <message>
      <source>Taken</source>
      <translation>Aufgenommen</translation>
    </message>
    <message>
      <source>Taken within {0} s of each other</source>
      <translation>Innerhalb von {0} s aufgenommen</translation>
    </message>
    <message>
      <source>Takes effect after restarting.</source>
      <translation>Gilt nach einem Neustart.</translation>
    </message>
    <message>
      <source>Takes seconds.</source>
      <translation>Dauert Sekunden.</translation>
    </message>
    <message>
      <source>Teaching by region</source>
      <translation>Lernen aus einem Teil des Fotos</translation>
    </message>
    <message>
      <source>Text</source>
      <translation>Text</translation>
    </message>
    <message>
      <source>Texts need the package tokenizers: run pip install '.[networks]' in Focal's checkout.</source>
      <translation>Texte brauchen das Paket tokenizers: Führen Sie pip install '.[networks]' in Focals Quelltextordner aus.</translation>
    </message>
    <message>
      <source>Texture</source>
      <translation>Textur</translation>
    </message>
    <message>
      <source>Texture statistics</source>
      <translation>Texturstatistik</translation>
    </message>
    <message>
      <source>Texture statistics, 50 components</source>
      <translation>Texturstatistik, 50 Komponenten</translation>
    </message>
    <message>
      <source>Texture, 200 components</source>
      <translation>Textur, 200 Komponenten</translation>
    </message>
    <message>
      <source>That metric is no longer available: train again.</source>
      <translation>Diese Metrik ist nicht mehr verfügbar: Trainieren Sie neu.</translation>
    </message>
    <message>
      <source>The DICOM file is damaged or of an unsupported kind.</source>
      <translation>Die DICOM-Datei ist beschädigt oder von einer nicht unterstützten Art.</translation>
    </message>
    <message>
      <source>The Dask cluster at {0} has no workers: start some and try again.</source>
      <translation>Der Dask-Cluster unter {0} hat keine Arbeitsprozesse: Starten Sie welche, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
      <source>The Euclidean metric is always there: it cannot be deleted.</source>
      <translation>Die euklidische Metrik gibt es immer: Sie lässt sich nicht löschen.</translation>
    </message>
    <message>
      <source>The Euclidean metric is the same everywhere: there is nothing to share.</source>
      <translation>Die euklidische Metrik ist überall gleich: Es gibt nichts weiterzugeben.</translation>
    </message>
    <message>
      <source>The Euclidean metric was not trained: choose another metric.</source>
      <translation>Die euklidische Metrik wurde nicht trainiert: Wählen Sie eine andere Metrik.</translation>
    </message>
    <message>
      <source>The agreement with {0} is recorded for the certificate.</source>
      <translation>Die Übereinstimmung mit {0} ist für den Prüfbericht festgehalten.</translation>
    </message>
    <message>
      <source>The answers were given without seeing the tags, so that kappa measures self-agreement.</source>
      <translation>Die Antworten wurden ohne Blick auf die Schlagwörter gegeben; Kappa misst also die Übereinstimmung mit sich selbst.</translation>
    </message>
    <message>
      <source>The archive was written by a later version of Focal: update Focal to open it.</source>
      <translation>Das Archiv stammt von einer neueren Version von Focal: Aktualisieren Sie Focal, um es zu öffnen.</translation>
    </message>
    <message>
      <source>The archive {0}</source>
      <translation>Das Archiv {0}</translation>
    </message>
    <message>
      <source>The archive {0} is damaged ({1}): nothing was imported. Use another copy.</source>
      <translation>Das Archiv {0} ist beschädigt ({1}): Es wurde nichts importiert. Verwenden Sie eine andere Kopie.</translation>
    </message>
    <message>
      <source>The audit of {0} has changed: open it again.</source>
      <translation>Die Prüfung von {0} hat sich geändert: Öffnen Sie sie noch einmal.</translation>
    </message>
    <message>
      <source>The back end {0!r} cannot be used ({1}): use processes, threads, dask or a joblib back end.</source>
      <translation>Das Backend {0!r} kann nicht verwendet werden ({1}): Verwenden Sie processes, threads, dask oder ein Backend von joblib.</translation>
    </message>
    <message>
      <source>The backup matches everything that can be read of the library.</source>
      <translation>Die Sicherung stimmt mit allem überein, was sich von der Bibliothek lesen lässt.</translation>
    </message>
    <message>
      <source>The backup of {0} is damaged: make a new backup now. {1}</source>
      <translation>Die Sicherung vom {0} ist beschädigt: Legen Sie jetzt eine neue an. {1}</translation>
    </message>
    <message>
      <source>The backup of {0} is sound: {1} photos, {2} tags and {3} judgements were restored and checked.</source>
      <translation>Die Sicherung vom {0} ist in Ordnung: {1} Fotos, {2} Schlagwörter und {3} Urteile wurden wiederhergestellt und geprüft.</translation>
    </message>
    <message>
      <source>The backup {0} cannot be read ({1}).</source>
      <translation>Die Sicherung {0} kann nicht gelesen werden ({1}).</translation>
    </message>
    <message>
      <source>The backup {0} has {1} {2}, but its manifest lists {3}.</source>
      <translation>Die Sicherung {0} hat {1} {2}, aber ihr Verzeichnis nennt {3}.</translation>
    </message>
    <message>
      <source>The backup {0} is damaged (digest mismatch).</source>
      <translation>Die Sicherung {0} ist beschädigt (falsche Prüfsumme).</translation>
    </message>
    <message>
      <source>The backup {0} is damaged (its schema has {1}, which Focal did not create).</source>
      <translation>Die Sicherung {0} ist beschädigt (ihr Schema enthält {1}, das nicht von Focal stammt).</translation>
    </message>
    <message>
      <source>The backup {0} is damaged (the table {1} refers to a row of {2} that does not exist).</source>
      <translation>Die Sicherung {0} ist beschädigt (die Tabelle {1} verweist auf eine Zeile von {2}, die es nicht gibt).</translation>
    </message>
    <message>
      <source>The backup {0} is damaged ({1}).</source>
      <translation>Die Sicherung {0} ist beschädigt ({1}).</translation>
    </message>
    <message>
      <source>The backup {0} is damaged: its manifest, {1}, has changed (digest mismatch).</source>
      <translation>Die Sicherung {0} ist beschädigt: Ihr Verzeichnis {1} hat sich geändert (falsche Prüfsumme).</translation>
    </message>
    <message>
      <source>The backup {0} is missing: only its manifest exists. The next backup deletes it.</source>
      <translation>Die Sicherung {0} fehlt: Nur ihr Verzeichnis ist da. Die nächste Sicherung löscht es.</translation>
    </message>
    <message>
      <source>The backup {0} is missing: the newest backup was not copied there. The next backup tries again.</source>
      <translation>Die Sicherung {0} fehlt: Die neueste Sicherung wurde nicht dorthin kopiert. Die nächste Sicherung versucht es noch einmal.</translation>
    </message>
    <message>
      <source>The backup {0} lacks the metric {1}.</source>
      <translation>Der Sicherung {0} fehlt die Metrik {1}.</translation>
    </message>
    <message>
      <source>The backup {0} was written by a later version of Focal: update Focal first.</source>
      <translation>Die Sicherung {0} stammt von einer neueren Version von Focal: Aktualisieren Sie zuerst Focal.</translation>
    </message>
    <message>
      <source>The brackets are empty</source>
      <translation>Die Klammern sind leer</translation>
    </message>
    <message>
      <source>The catalogue can no longer be read at all.</source>
      <translation>Der Katalog lässt sich gar nicht mehr lesen.</translation>
    </message>
    <message>
      <source>The catalogue holds {0} that Focal did not write: see focal check. To extract the intact data, run focal rescue; to go back to a backup, run focal restore.</source>
      <translation>Der Katalog enthält einen Wert, der nicht von Focal stammt ({0}): Siehe focal check. Mit focal rescue retten Sie die unversehrten Daten, mit focal restore kehren Sie zu einer Sicherung zurück.</translation>
    </message>
    <message>
      <source>The catalogue in the archive is damaged ({0}): nothing was imported. Use another copy.</source>
      <translation>Der Katalog im Archiv ist beschädigt ({0}): Es wurde nichts importiert. Verwenden Sie eine andere Kopie.</translation>
    </message>
    <message>
      <source>The catalogue in the archive was not written by Focal ({0}): nothing was imported. Use an archive written by focal archive, or use another copy.</source>
      <translation>Der Katalog im Archiv wurde nicht von Focal geschrieben ({0}): Es wurde nichts importiert. Verwenden Sie ein Archiv, das Focal gespeichert hat, oder eine andere Kopie.</translation>
    </message>
    <message>
      <source>The catalogue is damaged (its schema is unreadable).</source>
      <translation>Der Katalog ist beschädigt (sein Schema ist nicht lesbar).</translation>
    </message>
    <message>
      <source>The catalogue is damaged ({0}).</source>
      <translation>Der Katalog ist beschädigt ({0}).</translation>
    </message>
    <message>
      <source>The catalogue of the library is damaged ({0}): close Focal and open it again.</source>
      <translation>Der Katalog der Bibliothek ist beschädigt ({0}): Schließen Sie Focal, und öffnen Sie es wieder.</translation>
    </message>
    <message>
      <source>The catalogue of the library {0} cannot be read or written ({1}).</source>
      <translation>Der Katalog der Bibliothek {0} kann nicht gelesen oder geschrieben werden ({1}).</translation>
    </message>
    <message>
      <source>The catalogue of the library {0} is damaged ({1}). To extract the intact data, run focal rescue, to go back to its newest backup, {2}, run focal restore; the window offers both.</source>
      <translation>Der Katalog der Bibliothek {0} ist beschädigt ({1}). Mit focal rescue retten Sie die unversehrten Daten, mit focal restore kehren Sie zur neuesten Sicherung {2} zurück; das Fenster bietet beides an.</translation>
    </message>
    <message>
      <source>The catalogue of the library {0} is damaged ({1}). To extract the intact data, run focal rescue. There is no backup: to start an empty library, move the folder {0} away.</source>
      <translation>Der Katalog der Bibliothek {0} ist beschädigt ({1}). Mit focal rescue retten Sie die unversehrten Daten. Es gibt keine Sicherung: Um eine leere Bibliothek zu beginnen, verschieben Sie den Ordner {0} an einen anderen Ort.</translation>
    </message>
    <message>
      <source>The catalogue of the library {0} lacks the last {1} changes: its write-ahead log {2}-wal is missing or damaged. Put that file back; to continue without these changes, delete {3}.</source>
      <translation>Dem Katalog der Bibliothek {0} fehlen die letzten {1} Änderungen: Sein Protokoll {2}-wal fehlt oder ist beschädigt. Legen Sie diese Datei zurück; um ohne diese Änderungen weiterzuarbeiten, löschen Sie {3}.</translation>
    </message>
    <message>
      <source>The catalogue of the library {0} was replaced by another one but its write-ahead log {1}-wal belongs to the old one. To use the new catalogue, move that file away; to return to the old one, restore a backup (focal restore).</source>
      <translation>Der Katalog der Bibliothek {0} wurde durch einen anderen ersetzt, aber sein Protokoll {1}-wal gehört zum alten. Um den neuen Katalog zu verwenden, verschieben Sie diese Datei an einen anderen Ort; um zum alten zurückzukehren, stellen Sie eine Sicherung wieder her (focal restore).</translation>
    </message>
    <message>
      <source>The certificate is in {0}.</source>
      <translation>Der Prüfbericht ist in {0}.</translation>
    </message>
    <message>
      <source>The clipboard contains no image: copy one first.</source>
      <translation>Die Zwischenablage enthält kein Bild: Kopieren Sie zuerst eines.</translation>
    </message>
    <message>
      <source>The connection to the Dask scheduler at {0} is lost. Finished work is saved: start the scheduler and run the command again.</source>
      <translation>Die Verbindung zum Dask-Scheduler unter {0} ist abgebrochen. Fertige Arbeit ist gespeichert: Starten Sie den Scheduler, und wiederholen Sie den Befehl.</translation>
    </message>
    <message>
      <source>The copy is damaged ({0}): the library was not moved.</source>
      <translation>Die Kopie ist beschädigt ({0}): Die Bibliothek wurde nicht verschoben.</translation>
    </message>
    <message>
      <source>The copy of {0} differs from the original: the disk may be faulty. The library was not moved.</source>
      <translation>Die Kopie von {0} weicht vom Original ab: Der Datenträger ist vielleicht fehlerhaft. Die Bibliothek wurde nicht verschoben.</translation>
    </message>
    <message>
      <source>The description of this TIFF file is not valid OME-XML.</source>
      <translation>Die Beschreibung dieser TIFF-Datei ist kein gültiges OME-XML.</translation>
    </message>
    <message>
      <source>The descriptions of {0} are missing: run focal index, or open the window again.</source>
      <translation>Die Beschreibungen fehlen ({0}): Führen Sie focal index aus, oder öffnen Sie das Fenster noch einmal.</translation>
    </message>
    <message>
      <source>The descriptor {0} is not fitted to this library yet: run focal index.</source>
      <translation>Der Deskriptor {0} ist noch nicht an diese Bibliothek angepasst: Führen Sie focal index aus.</translation>
    </message>
    <message>
      <source>The descriptor {0} is switched off: focal descriptors --on {0}.</source>
      <translation>Der Deskriptor {0} ist ausgeschaltet: focal descriptors --on {0}.</translation>
    </message>
    <message>
      <source>The disk that holds the library {0} is full: nothing was saved by this step. Free some space and repeat it.</source>
      <translation>Der Datenträger mit der Bibliothek {0} ist voll: Dieser Schritt hat nichts gespeichert. Schaffen Sie Platz, und wiederholen Sie ihn.</translation>
    </message>
    <message>
      <source>The dropped data contains no image.</source>
      <translation>Die abgelegten Daten enthalten kein Bild.</translation>
    </message>
    <message>
      <source>The file cannot be opened: {0}.</source>
      <translation>Die Datei kann nicht geöffnet werden: {0}.</translation>
    </message>
    <message>
      <source>The file cannot be read: {0}.</source>
      <translation>Die Datei kann nicht gelesen werden: {0}.</translation>
    </message>
    <message>
      <source>The file cannot be read: {0}: raise {1} in the settings if it is a photo.</source>
      <translation>Die Datei kann nicht gelesen werden: {0}. Erhöhen Sie {1} in den Einstellungen, wenn sie ein Foto ist.</translation>
    </message>
    <message>
      <source>The file is damaged ({0}): copy it again, or use another copy.</source>
      <translation>Die Datei ist beschädigt ({0}): Kopieren Sie sie noch einmal, oder verwenden Sie eine andere Kopie.</translation>
    </message>
    <message>
      <source>The file is empty.</source>
      <translation>Die Datei ist leer.</translation>
    </message>
    <message>
      <source>The file is incomplete, its end is missing: copy or download it again.</source>
      <translation>Die Datei ist unvollständig, ihr Ende fehlt: Kopieren Sie sie noch einmal, oder laden Sie sie neu herunter.</translation>
    </message>
    <message>
      <source>The file is incomplete, only {0} % of the photo can be shown: copy or download it again.</source>
      <translation>Die Datei ist unvollständig, nur {0} % des Fotos lassen sich zeigen: Kopieren Sie sie noch einmal, oder laden Sie sie neu herunter.</translation>
    </message>
    <message>
      <source>The file is incomplete, the photo lacks detail: copy or download it again.</source>
      <translation>Die Datei ist unvollständig, dem Foto fehlen Einzelheiten: Kopieren Sie sie noch einmal, oder laden Sie sie neu herunter.</translation>
    </message>
    <message>
      <source>The file is missing</source>
      <translation>Die Datei fehlt</translation>
    </message>
    <message>
      <source>The file is missing or cannot be read.</source>
      <translation>Die Datei fehlt oder lässt sich nicht lesen.</translation>
    </message>
    <message>
      <source>The file is not in an image format that Focal supports.</source>
      <translation>Das Bildformat der Datei unterstützt Focal nicht.</translation>
    </message>
    <message>
      <source>The file of 1 photo is missing. Its tags and judgements stay.</source>
      <translation>Die Datei von 1 Foto fehlt. Seine Schlagwörter und Urteile bleiben erhalten.</translation>
    </message>
    <message>
      <source>The file of network {0} has changed: remove the network and add it again.</source>
      <translation>Die Datei des Netzes {0} hat sich geändert: Entfernen Sie das Netz, und fügen Sie es wieder hinzu.</translation>
    </message>
    <message>
      <source>The file of the metric {0} contains no local distances: train again.</source>
      <translation>Die Datei der Metrik {0} enthält keine lokalen Abstände: Trainieren Sie neu.</translation>
    </message>
    <message>
      <source>The file of the metric {0} contains no metric: train again.</source>
      <translation>Die Datei der Metrik {0} enthält keine Metrik: Trainieren Sie neu.</translation>
    </message>
    <message>
      <source>The file of the network {0} cannot be read ({1}: {2}): put it back, or focal descriptors --remove-network {0}.</source>
      <translation>Die Datei des Netzes {0} kann nicht gelesen werden ({1}: {2}): Legen Sie sie zurück, oder entfernen Sie das Netz mit focal descriptors --remove-network {0}.</translation>
    </message>
    <message>
      <source>The file of the network {0} has changed ({1}): run focal index.</source>
      <translation>Die Datei des Netzes {0} hat sich geändert ({1}): Lesen Sie die Ordner neu ein (F5).</translation>
    </message>
    <message>
      <source>The file of {0} was cut off while it was open: check the library.</source>
      <translation>Die Datei von {0} wurde gekürzt, während sie geöffnet war: Prüfen Sie die Bibliothek.</translation>
    </message>
    <message>
      <source>The file unpacks to more than the allowed {0:,} bytes.</source>
      <translation>Entpackt ist die Datei größer als die erlaubten {0:,} Byte.</translation>
    </message>
    <message>
      <source>The files contain no tags that are not in Focal already.</source>
      <translation>Die Dateien enthalten keine neuen Schlagwörter.</translation>
    </message>
    <message>
      <source>The files of {0} photos are missing. Their tags and judgements stay.</source>
      <translation>Die Dateien von {0} Fotos fehlen. Ihre Schlagwörter und Urteile bleiben erhalten.</translation>
    </message>
    <message>
      <source>The first {0} photos were opened.</source>
      <translation>Die ersten {0} Fotos wurden geöffnet.</translation>
    </message>
    <message>
      <source>The fitted descriptors are no longer in {0}: run focal index.</source>
      <translation>Die angepassten Deskriptoren sind nicht mehr in {0}: Führen Sie focal index aus.</translation>
    </message>
    <message>
      <source>The fitted descriptors have changed: run focal index, then try again.</source>
      <translation>Die angepassten Deskriptoren haben sich geändert: Führen Sie focal index aus, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
      <source>The folder cannot be read ({0}): connect its drive, or relocate the folder if it was moved. Its photos are unchanged.</source>
      <translation>Der Ordner kann nicht gelesen werden ({0}): Schließen Sie sein Laufwerk an, oder ordnen Sie den Ordner neu zu, wenn er verschoben wurde. Seine Fotos sind unverändert.</translation>
    </message>
    <message>
      <source>The folder cannot be read: {0}.</source>
      <translation>Der Ordner kann nicht gelesen werden: {0}.</translation>
    </message>
    <message>
      <source>The folder is empty; its drive may be disconnected. Its photos are unchanged.</source>
      <translation>Der Ordner ist leer; vielleicht ist sein Laufwerk nicht angeschlossen. Seine Fotos sind unverändert.</translation>
    </message>
    <message>
      <source>The format {0} of {1} cannot be used: {2}</source>
      <translation>Das Format {0} von {1} kann nicht benutzt werden: {2}</translation>
    </message>
    <message>
      <source>The format {0} of {1} failed ({2}: {3}): update or remove the package.</source>
      <translation>Das Format {0} von {1} schlug fehl ({2}: {3}): Aktualisieren oder entfernen Sie das Paket.</translation>
    </message>
    <message>
      <source>The half for texts of the network {0} crashed or took more than {1:g} s: it may need more memory or time.</source>
      <translation>Der Textteil des Netzes {0} ist abgestürzt oder hat mehr als {1:g} s gebraucht: Vielleicht braucht er mehr Speicher oder Zeit.</translation>
    </message>
    <message>
      <source>The heat map</source>
      <translation>Die Wärmekarte</translation>
    </message>
    <message>
      <source>The heat map shows the focal image. Press Enter to set this photo as focal image.</source>
      <translation>Die Wärmekarte zeigt das Fokusbild. Enter macht dieses Foto zum Fokusbild.</translation>
    </message>
    <message>
      <source>The history of the library does not reach back to the training of {0}, or photos were removed since: train again, and replay the new metric.</source>
      <translation>Der Verlauf der Bibliothek reicht nicht bis zum Training von {0} zurück, oder seither wurden Fotos entfernt: Trainieren Sie noch einmal, und wiederholen Sie die neue Metrik.</translation>
    </message>
    <message>
      <source>The image</source>
      <translation>Das Bild</translation>
    </message>
    <message>
      <source>The image cannot be shown: {0}</source>
      <translation>Das Bild kann nicht gezeigt werden: {0}</translation>
    </message>
    <message>
      <source>The image declares more than the allowed {0:,} pixels.</source>
      <translation>Laut Dateikopf hat das Bild mehr als die erlaubten {0:,} Pixel.</translation>
    </message>
    <message>
      <source>The image declares more than {0:,} planes.</source>
      <translation>Laut Dateikopf hat das Bild mehr als {0:,} Ebenen.</translation>
    </message>
    <message>
      <source>The image declares {0:,} pixels, more than the allowed {1:,}.</source>
      <translation>Laut Dateikopf hat das Bild {0:,} Pixel, erlaubt sind {1:,}.</translation>
    </message>
    <message>
      <source>The image has more than the allowed 128 MB of text.</source>
      <translation>Das Bild enthält mehr als die erlaubten 128 MB Text.</translation>
    </message>
    <message>
      <source>The image needs more memory than is available.</source>
      <translation>Das Bild braucht mehr Speicher, als verfügbar ist.</translation>
    </message>
    <message>
      <source>The keys 1 to 5 add stars, 0 removes them, 6 to 9 add labels. Click to switch: 1 to 9 then add tags</source>
      <translation>Die Tasten 1 bis 5 vergeben Sterne, 0 entfernt sie, 6 bis 9 vergeben Farbmarkierungen. Nach einem Klick vergeben 1 bis 9 Schlagwörter</translation>
    </message>
    <message>
      <source>The keys 1 to 9</source>
      <translation>Die Tasten 1 bis 9</translation>
    </message>
    <message>
      <source>The keys 1 to 9 add the tags below, Alt+1 to 5 stars. Click to switch: 1 to 5 then add stars</source>
      <translation>Die Tasten 1 bis 9 vergeben die Schlagwörter darunter, Alt+1 bis 5 Sterne. Nach einem Klick vergeben 1 bis 5 Sterne</translation>
    </message>
    <message>
      <source>The label {0!r} cannot be written to XMP.</source>
      <translation>Die Farbmarkierung {0!r} kann nicht in XMP geschrieben werden.</translation>
    </message>
    <message>
      <source>The last 10,000 steps can be undone; for older changes see Backups.</source>
      <translation>Die letzten 10.000 Schritte lassen sich rückgängig machen; für ältere Änderungen siehe „Sicherungen“.</translation>
    </message>
    <message>
      <source>The learner {0!r} has no parameter {1!r}; it has: {2}.</source>
      <translation>Das Lernverfahren {0!r} hat keinen Parameter {1!r}; es hat: {2}.</translation>
    </message>
    <message>
      <source>The learner {0!r} has no parameters of a paper.</source>
      <translation>Das Lernverfahren {0!r} hat keine Parameter eines Aufsatzes.</translation>
    </message>
    <message>
      <source>The least change of Euclidean distance that brings similar photos near enough</source>
      <translation>Die kleinste Änderung des euklidischen Abstands, die ähnliche Fotos nahe genug zusammenbringt</translation>
    </message>
    <message>
      <source>The lens {0} cannot be saved: {1}.</source>
      <translation>Der Blickwinkel {0} kann nicht gespeichert werden: {1}.</translation>
    </message>
    <message>
      <source>The lens {0} contains no metric that gives distances: nothing was imported.</source>
      <translation>Der Blickwinkel {0} enthält keine Metrik, die Abstände liefert: Es wurde nichts importiert.</translation>
    </message>
    <message>
      <source>The lens {0} contains no readable metric: nothing was imported.</source>
      <translation>Der Blickwinkel {0} enthält keine lesbare Metrik: Es wurde nichts importiert.</translation>
    </message>
    <message>
      <source>The lens {0} is damaged or was not written by Focal ({1}): nothing was imported.</source>
      <translation>Der Blickwinkel {0} ist beschädigt oder wurde nicht von Focal geschrieben ({1}): Es wurde nichts importiert.</translation>
    </message>
    <message>
      <source>The lens {0} needs {1} with other parameters, another network file or another vocabulary than this library has: ask for a lens shared by the same version of Focal.</source>
      <translation>Der Blickwinkel {0} braucht {1} mit anderen Parametern, einer anderen Netzdatei oder einem anderen Vokabular als dem dieser Bibliothek: Bitten Sie um einen Blickwinkel aus derselben Version von Focal.</translation>
    </message>
    <message>
      <source>The lens {0} needs {1}, which this library lacks: if it is a network, add the same file under this name in the settings; if it is of a plug-in, install that; otherwise update Focal.</source>
      <translation>Der Blickwinkel {0} braucht {1}, was dieser Bibliothek fehlt: Ist es ein Netz, fügen Sie dieselbe Datei unter diesem Namen in den Einstellungen hinzu; gehört es zu einer Erweiterung, installieren Sie diese; aktualisieren Sie andernfalls Focal.</translation>
    </message>
    <message>
      <source>The lens {0} ranks your photos better than the metric in use, {1}</source>
      <translation>Der Blickwinkel {0} ordnet Ihre Fotos besser als die verwendete Metrik, {1}</translation>
    </message>
    <message>
      <source>The lens {0} ranks your photos worse than the metric in use, {1}</source>
      <translation>Der Blickwinkel {0} ordnet Ihre Fotos schlechter als die verwendete Metrik, {1}</translation>
    </message>
    <message>
      <source>The lens {0} was learned by {1}, which this version of Focal lacks: update Focal, or install the plug-in that has it.</source>
      <translation>Der Blickwinkel {0} wurde mit {1} gelernt, das dieser Version von Focal fehlt: Aktualisieren Sie Focal, oder installieren Sie die Erweiterung, die es hat.</translation>
    </message>
    <message>
      <source>The lens {0} was made with version {1} of {2}, this is version {3}: {4}.</source>
      <translation>Der Blickwinkel {0} entstand mit Version {1} von {2}, hier ist es Version {3}: {4}.</translation>
    </message>
    <message>
      <source>The lens {0} was trained in this library, on the photos on which it would be tried: use Measure instead.</source>
      <translation>Der Blickwinkel {0} wurde in dieser Bibliothek trainiert, mit den Fotos, an denen er ausprobiert würde: Verwenden Sie stattdessen „Messen“.</translation>
    </message>
    <message>
      <source>The libraries have no photo in common: index the same photos in both.</source>
      <translation>Die Bibliotheken haben kein gemeinsames Foto: Indizieren Sie in beiden dieselben Fotos.</translation>
    </message>
    <message>
      <source>The library changed while it was copied: close other programs that use it, and move it again.</source>
      <translation>Die Bibliothek hat sich beim Kopieren geändert: Schließen Sie andere Programme, die sie verwenden, und verschieben Sie sie noch einmal.</translation>
    </message>
    <message>
      <source>The library contains no photo in {0}: there is nothing to relocate.</source>
      <translation>Die Bibliothek enthält kein Foto in {0}: Es gibt nichts zuzuordnen.</translation>
    </message>
    <message>
      <source>The library has a metric {0} already: train again to get the next version.</source>
      <translation>Die Bibliothek hat schon eine Metrik {0}: Trainieren Sie neu, um die nächste Version zu bekommen.</translation>
    </message>
    <message>
      <source>The library has lost its Euclidean metric: run a check of the library.</source>
      <translation>Der Bibliothek fehlt die euklidische Metrik: Prüfen Sie die Bibliothek.</translation>
    </message>
    <message>
      <source>The library has no metric with the id {0}: it may have been undone.</source>
      <translation>Die Bibliothek hat keine Metrik mit der Nummer {0}: Vielleicht wurde ihr Training rückgängig gemacht.</translation>
    </message>
    <message>
      <source>The library has no metric {0}: choose one of {1}, or train it first.</source>
      <translation>Die Bibliothek hat keine Metrik {0}: Wählen Sie eine von {1}, oder trainieren Sie sie zuerst.</translation>
    </message>
    <message>
      <source>The library has no photo folder yet: add one.</source>
      <translation>Die Bibliothek hat noch keinen Fotoordner: Fügen Sie einen hinzu.</translation>
    </message>
    <message>
      <source>The library has no photo with the id {0}: index its folder first.</source>
      <translation>Die Bibliothek hat kein Foto mit der Nummer {0}: Lesen Sie zuerst seinen Ordner ein.</translation>
    </message>
    <message>
      <source>The library has no photo {0}.</source>
      <translation>Die Bibliothek hat kein Foto {0}.</translation>
    </message>
    <message>
      <source>The library is backed up, also in the second folder.</source>
      <translation>Die Bibliothek ist gesichert, auch im zweiten Ordner.</translation>
    </message>
    <message>
      <source>The library is backed up.</source>
      <translation>Die Bibliothek ist gesichert.</translation>
    </message>
    <message>
      <source>The library is damaged</source>
      <translation>Die Bibliothek ist beschädigt</translation>
    </message>
    <message>
      <source>The library is identical to this backup.</source>
      <translation>Die Bibliothek ist mit dieser Sicherung identisch.</translation>
    </message>
    <message>
      <source>The library is open read-only.</source>
      <translation>Die Bibliothek ist schreibgeschützt geöffnet.</translation>
    </message>
    <message>
      <source>The library is open read-only: you can view everything but change nothing.</source>
      <translation>Die Bibliothek ist schreibgeschützt geöffnet: Sie können alles ansehen, aber nichts ändern.</translation>
    </message>
    <message>
      <source>The library is restored from the backup of {0:%Y-%m-%d %H:%M}. The present library is saved.</source>
      <translation>Die Bibliothek wird aus der Sicherung vom {0:%Y-%m-%d %H:%M} wiederhergestellt. Ihr jetziger Stand wird gespeichert.</translation>
    </message>
    <message>
      <source>The library keeps their tags, ratings and judgements; they come back if the files are restored. Copies in other folders and sidecars stay unchanged.</source>
      <translation>Die Bibliothek behält ihre Schlagwörter, Bewertungen und Urteile; sie sind wieder da, wenn die Dateien wiederhergestellt werden. Kopien in anderen Ordnern und Begleitdateien bleiben unverändert.</translation>
    </message>
    <message>
      <source>The library lacks the patches {0}, from which the local distances were learned: run focal index. If that does not help, train again.</source>
      <translation>Der Bibliothek fehlen die Ausschnitte {0}, aus denen die lokalen Abstände gelernt wurden: Lesen Sie die Ordner neu ein (F5). Wenn das nicht hilft, trainieren Sie neu.</translation>
    </message>
    <message>
      <source>The library lies on a network drive ({0}): what you do may be lost if the connection breaks.</source>
      <translation>Die Bibliothek liegt auf einem Netzlaufwerk ({0}): Wenn die Verbindung abbricht, kann Ihre Arbeit verloren gehen.</translation>
    </message>
    <message>
      <source>The library of {0} is closed: open it again.</source>
      <translation>Die Bibliothek {0} ist geschlossen: Öffnen Sie sie wieder.</translation>
    </message>
    <message>
      <source>The library takes {0} bytes, and only {1} are free there: free some space first.</source>
      <translation>Die Bibliothek braucht {0} Byte, und dort sind nur {1} frei: Schaffen Sie zuerst Platz.</translation>
    </message>
    <message>
      <source>The library was not moved: {0}.</source>
      <translation>Die Bibliothek wurde nicht verschoben: {0}.</translation>
    </message>
    <message>
      <source>The library {0}</source>
      <translation>Die Bibliothek {0}</translation>
    </message>
    <message>
      <source>The library {0} cannot be read or written ({1}).</source>
      <translation>Die Bibliothek {0} kann nicht gelesen oder geschrieben werden ({1}).</translation>
    </message>
    <message>
      <source>The library {0} cannot be written: open it read-only, or make its folder writable.</source>
      <translation>Die Bibliothek {0} kann nicht geschrieben werden: Öffnen Sie sie schreibgeschützt, oder erlauben Sie das Schreiben in ihren Ordner.</translation>
    </message>
    <message>
      <source>The library {0} is closed: open it again.</source>
      <translation>Die Bibliothek {0} ist geschlossen: Öffnen Sie sie noch einmal.</translation>
    </message>
    <message>
      <source>The library {0} is damaged</source>
      <translation>Die Bibliothek {0} ist beschädigt</translation>
    </message>
    <message>
      <source>The library {0} is in use by {1}: close that program and try again.</source>
      <translation>Die Bibliothek {0} wird von {1} verwendet: Schließen Sie dieses Programm, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
      <source>The library {0} was deleted, moved or replaced while it was open ({1} is not the same file): nothing was saved by this step. Put the folder back, or open the library again.</source>
      <translation>Die Bibliothek {0} wurde gelöscht, verschoben oder ersetzt, während sie geöffnet war ({1} ist nicht dieselbe Datei): Dieser Schritt hat nichts gespeichert. Legen Sie den Ordner zurück, oder öffnen Sie die Bibliothek noch einmal.</translation>
    </message>
    <message>
      <source>The library {0} was opened read-only: no backup was made.</source>
      <translation>Die Bibliothek {0} ist schreibgeschützt geöffnet: Es wurde keine Sicherung angelegt.</translation>
    </message>
    <message>
      <source>The library {0} was opened read-only: nothing was compacted.</source>
      <translation>Die Bibliothek {0} ist schreibgeschützt geöffnet: Es wurde nichts verkleinert.</translation>
    </message>
    <message>
      <source>The library {0} was opened read-only: open it for writing to change anything.</source>
      <translation>Die Bibliothek {0} ist schreibgeschützt geöffnet: Öffnen Sie sie zum Schreiben, um etwas zu ändern.</translation>
    </message>
    <message>
      <source>The library {0} was written by a later version of Focal (schema {1}, this one knows {2}): update Focal to open it.</source>
      <translation>Die Bibliothek {0} stammt von einer neueren Version von Focal (Schema {1}, diese kennt {2}): Aktualisieren Sie Focal, um sie zu öffnen.</translation>
    </message>
    <message>
      <source>The link leads to no file ({0}).</source>
      <translation>Die Verknüpfung führt zu keiner Datei ({0}).</translation>
    </message>
    <message>
      <source>The local distances were learned from an earlier version of {0}, which can no longer be computed for other images: train them again.</source>
      <translation>Die lokalen Abstände wurden aus einer früheren Version von {0} gelernt, die sich für andere Bilder nicht mehr berechnen lässt: Trainieren Sie sie neu.</translation>
    </message>
    <message>
      <source>The mark is at the typical value: {0:.3f}</source>
      <translation>Der Strich zeigt den üblichen Wert: {0:.3f}</translation>
    </message>
    <message>
      <source>The method that suggests tags, and how accurate each is</source>
      <translation>Das Verfahren für Vorschläge, und wie genau jedes ist</translation>
    </message>
    <message>
      <source>The metric cannot be saved: {0}</source>
      <translation>Die Metrik kann nicht gespeichert werden: {0}</translation>
    </message>
    <message>
      <source>The metric does not rank parts of photos: {0}.</source>
      <translation>Die Metrik ordnet keine Teile von Fotos: {0}.</translation>
    </message>
    <message>
      <source>The metric {0} cannot be read ({1}): choose another one.</source>
      <translation>Die Metrik {0} kann nicht gelesen werden ({1}): Wählen Sie eine andere.</translation>
    </message>
    <message>
      <source>The metric {0} cannot be used ({1}): choose another one, or train again.</source>
      <translation>Die Metrik {0} kann nicht verwendet werden ({1}): Wählen Sie eine andere, oder trainieren Sie neu.</translation>
    </message>
    <message>
      <source>The metric {0} cannot compare boxes: train again.</source>
      <translation>Die Metrik {0} kann Rahmen nicht vergleichen: Trainieren Sie sie neu.</translation>
    </message>
    <message>
      <source>The metric {0} depends on single photos, so it cannot be shared: choose another metric.</source>
      <translation>Die Metrik {0} hängt von einzelnen Fotos ab und lässt sich deshalb nicht weitergeben: Wählen Sie eine andere Metrik.</translation>
    </message>
    <message>
      <source>The metric {0} has no local distances: train them with focal train --learner {1}.</source>
      <translation>Die Metrik {0} hat keine lokalen Abstände: Trainieren Sie sie mit focal train --learner {1}.</translation>
    </message>
    <message>
      <source>The metric {0} has no vectors: choose {1}, or another metric.</source>
      <translation>Die Metrik {0} hat keine Vektoren: Wählen Sie {1} oder eine andere Metrik.</translation>
    </message>
    <message>
      <source>The metric {0} of the backup {1} is damaged.</source>
      <translation>Die Metrik {0} der Sicherung {1} ist beschädigt.</translation>
    </message>
    <message>
      <source>The metric {0} was trained in another library: ask for a replay from there.</source>
      <translation>Die Metrik {0} wurde in einer anderen Bibliothek trainiert: Bitten Sie dort um eine Wiederholung.</translation>
    </message>
    <message>
      <source>The multi-label metric in the space of a kernel</source>
      <translation>Die Multi-Label-Metrik im Raum eines Kerns</translation>
    </message>
    <message>
      <source>The name is longer than {0} characters: choose a shorter one.</source>
      <translation>Der Name ist länger als {0} Zeichen: Wählen Sie einen kürzeren.</translation>
    </message>
    <message numerus="yes">
      <source>The names of %n boxes are probably wrong. Those you keep will not be listed again.</source>
      <translation>
        <numerusform>Der Name von %n Rahmen ist wahrscheinlich falsch. Was Sie behalten, wird nicht mehr aufgeführt.</numerusform>
        <numerusform>Die Namen von %n Rahmen sind wahrscheinlich falsch. Was Sie behalten, wird nicht mehr aufgeführt.</numerusform>
      </translation>
    </message>
    <message>
      <source>The network cannot be used: {0}.</source>
      <translation>Das Netz kann nicht verwendet werden: {0}.</translation>
    </message>
    <message>
      <source>The network does not run on an input of {0} ({1}).</source>
      <translation>Das Netz läuft nicht mit einer Eingabe von {0} ({1}).</translation>
    </message>
    <message>
      <source>The network has no value {0!r}; its outputs are {1}.</source>
      <translation>Das Netz hat keinen Wert {0!r}; seine Ausgaben sind {1}.</translation>
    </message>
    <message>
      <source>The network takes images of any size: give width and height.</source>
      <translation>Das Netz nimmt Bilder jeder Größe: Geben Sie Breite und Höhe an.</translation>
    </message>
    <message>
      <source>The network takes images of {0}x{1} pixels, not {2}x{3}.</source>
      <translation>Das Netz nimmt Bilder mit {0}x{1} Pixeln, nicht mit {2}x{3}.</translation>
    </message>
    <message>
      <source>The network takes {0} channels with layout {1}, it must be 3.</source>
      <translation>Das Netz nimmt {0} Kanäle in der Anordnung {1}, es müssen 3 sein.</translation>
    </message>
    <message>
      <source>The network takes {0} images at a time: export it for one.</source>
      <translation>Das Netz nimmt {0} Bilder auf einmal entgegen: Exportieren Sie es für ein einzelnes.</translation>
    </message>
    <message>
      <source>The network {0} cannot be used: {1}.</source>
      <translation>Das Netz {0} kann nicht verwendet werden: {1}.</translation>
    </message>
    <message>
      <source>The network {0} cannot encode texts: add an image-and-text network, with a file for each and a tokenizer.json (settings, Networks).</source>
      <translation>Das Netz {0} kann keine Texte kodieren: Fügen Sie ein Netz für Bilder und Texte hinzu, mit je einer Datei und einer tokenizer.json (Einstellungen, „Netze“).</translation>
    </message>
    <message>
      <source>The network {0}, which encodes texts, is switched off: focal descriptors --on {0}, or switch it on in the settings.</source>
      <translation>Das Netz {0}, das Texte kodiert, ist ausgeschaltet: focal descriptors --on {0}, oder schalten Sie es in den Einstellungen ein.</translation>
    </message>
    <message>
      <source>The network's input has {0} axes, an image has 4 ({1}).</source>
      <translation>Die Eingabe des Netzes hat {0} Achsen, ein Bild hat 4 ({1}).</translation>
    </message>
    <message>
      <source>The one family of features that ranks best</source>
      <translation>Die eine Merkmalsfamilie, die am besten ordnet</translation>
    </message>
    <message>
      <source>The others will be listed as missing or as edited.</source>
      <translation>Die anderen werden als fehlend oder bearbeitet aufgeführt.</translation>
    </message>
    <message>
      <source>The package does not say for which version of the plug-in interface it was built (focal_photos.interface): update it.</source>
      <translation>Das Paket sagt nicht, für welche Version der Schnittstelle für Erweiterungen es gebaut wurde (focal_photos.interface): Aktualisieren Sie es.</translation>
    </message>
    <message>
      <source>The package {0} offers the same name: remove one of the two.</source>
      <translation>Das Paket {0} bietet denselben Namen: Entfernen Sie eines der beiden.</translation>
    </message>
    <message>
      <source>The parameter {0} of {1!r} must be {2}, not {3!r}.</source>
      <translation>Der Parameter {0} von {1!r} muss {2} sein, nicht {3!r}.</translation>
    </message>
    <message>
      <source>The patches of the library are not at {0}: connect its drive, and try again. A worker of a cluster needs the same path to the library.</source>
      <translation>Die Ausschnitte der Bibliothek sind nicht in {0}: Schließen Sie das Laufwerk an, und versuchen Sie es noch einmal. Ein Arbeitsprozess eines Clusters braucht denselben Pfad zur Bibliothek.</translation>
    </message>
    <message>
      <source>The patches of {0} are not computed yet: wait until it is indexed, or run focal index.</source>
      <translation>Die Ausschnitte von {0} sind noch nicht berechnet: Warten Sie, bis das Foto eingelesen ist.</translation>
    </message>
    <message>
      <source>The photo is no longer wanted.</source>
      <translation>Das Foto wird nicht mehr gebraucht.</translation>
    </message>
    <message>
      <source>The photo is not described by the network {0} yet: wait until it is.</source>
      <translation>Das Netz {0} hat das Foto noch nicht beschrieben: Warten Sie, bis es so weit ist.</translation>
    </message>
    <message>
      <source>The photo is not in the ranking: its folder was removed from the library.</source>
      <translation>Das Foto ist nicht in der Rangfolge: Sein Ordner wurde aus der Bibliothek genommen.</translation>
    </message>
    <message>
      <source>The photo was edited since: check this box.</source>
      <translation>Das Foto wurde seither bearbeitet: Prüfen Sie diesen Rahmen.</translation>
    </message>
    <message>
      <source>The photos (Esc)</source>
      <translation>Die Fotos (Esc)</translation>
    </message>
    <message>
      <source>The photos around each photo should predict its group</source>
      <translation>Die Fotos um jedes Foto sollen seine Gruppe vorhersagen</translation>
    </message>
    <message>
      <source>The photos have no patches yet: run focal descriptors --on {0} and focal index.</source>
      <translation>Die Fotos haben noch keine Ausschnitte: Schalten Sie {0} in den Einstellungen ein.</translation>
    </message>
    <message>
      <source>The photos stay on disk, unchanged; Focal only stops showing them.

Tags and judgements are kept and come back if you add the folder again.</source>
      <translation>Die Fotos bleiben unverändert auf dem Datenträger; Focal zeigt sie nur nicht mehr.

Schlagwörter und Urteile bleiben erhalten und sind wieder da, wenn Sie den Ordner erneut hinzufügen.</translation>
    </message>
    <message>
      <source>The photos stay. This can be undone.</source>
      <translation>Die Fotos bleiben. Das lässt sich rückgängig machen.</translation>
    </message>
    <message>
      <source>The plug-in {0} failed for {1}: {2}</source>
      <translation>Die Erweiterung {0} schlug fehl bei {1}: {2}</translation>
    </message>
    <message>
      <source>The plug-in {0} has not described all photos: {1}</source>
      <translation>Die Erweiterung {0} hat nicht alle Fotos beschrieben: {1}</translation>
    </message>
    <message>
      <source>The plug-in {0} was left out because it failed: {1}</source>
      <translation>Die Erweiterung {0} wurde weggelassen, weil sie fehlschlug: {1}</translation>
    </message>
    <message>
      <source>The previous metric stays in use.</source>
      <translation>Die bisherige Metrik bleibt in Gebrauch.</translation>
    </message>
    <message>
      <source>The process ended.</source>
      <translation>Der Prozess ist beendet.</translation>
    </message>
    <message>
      <source>The process that decoded it was killed, probably because memory was low.</source>
      <translation>Der Prozess, der die Datei dekodierte, wurde beendet, wahrscheinlich wegen Speichermangels.</translation>
    </message>
    <message>
      <source>The processes that read photos cannot be started: {0}.</source>
      <translation>Die Prozesse, die Fotos lesen, können nicht gestartet werden: {0}.</translation>
    </message>
    <message>
      <source>The protocol needs at least 2 photos of a class to learn from, 1 to test, and 1 split.</source>
      <translation>Das Protokoll braucht mindestens 2 Fotos einer Klasse zum Lernen, 1 zum Testen und 1 Aufteilung.</translation>
    </message>
    <message>
      <source>The ranking follows your judgements. Retrain (Ctrl+R) to apply them to all focal images.</source>
      <translation>Die Rangfolge folgt Ihren Urteilen. „Neu trainieren“ (Strg+R) überträgt sie auf alle Fokusbilder.</translation>
    </message>
    <message>
      <source>The region shows nothing that can be compared: draw a larger one.</source>
      <translation>Der Ausschnitt zeigt nichts, was sich vergleichen lässt: Ziehen Sie einen größeren auf.</translation>
    </message>
    <message>
      <source>The region “{0}” is not exchanged: {1}</source>
      <translation>Die Region „{0}“ wird nicht ausgetauscht: {1}</translation>
    </message>
    <message>
      <source>The restore cannot be tried: it needs {0:.0f} MB in {1} for a short time. Free some room there, or name another folder in the environment variable TMPDIR.</source>
      <translation>Die Wiederherstellung lässt sich nicht testen: Sie braucht für kurze Zeit {0:.0f} MB in {1}. Schaffen Sie dort Platz, oder nennen Sie in der Umgebungsvariablen TMPDIR einen anderen Ordner.</translation>
    </message>
    <message>
      <source>The restore cannot be tried: {0}</source>
      <translation>Die Wiederherstellung lässt sich nicht testen: {0}</translation>
    </message>
    <message>
      <source>The restored catalogue is damaged: {0}.</source>
      <translation>Der wiederhergestellte Katalog ist beschädigt: {0}.</translation>
    </message>
    <message>
      <source>The restored library cannot be opened: {0}</source>
      <translation>Die wiederhergestellte Bibliothek kann nicht geöffnet werden: {0}</translation>
    </message>
    <message>
      <source>The same choice applies to files that change later. Photos and sidecars are not written.</source>
      <translation>Dieselbe Auswahl gilt für Dateien, die sich später ändern. Fotos und Begleitdateien werden nicht verändert.</translation>
    </message>
    <message>
      <source>The same in full kernels, from a few hundred photos</source>
      <translation>Dasselbe mit vollen Kernen; lernt aus einigen Hundert Fotos</translation>
    </message>
    <message>
      <source>The same number of photos for each tag, typical ones.</source>
      <translation>Gleich viele Fotos je Schlagwort, jeweils typische.</translation>
    </message>
    <message>
      <source>The same, and continue</source>
      <translation>Dasselbe und weiter</translation>
    </message>
    <message>
      <source>The saved search {0} no longer exists.</source>
      <translation>Die gespeicherte Suche {0} gibt es nicht mehr.</translation>
    </message>
    <message>
      <source>The search was stopped. Ask for photos again to continue.</source>
      <translation>Die Suche wurde angehalten. „Als Nächstes fragen“ setzt sie fort.</translation>
    </message>
    <message>
      <source>The search was stopped. Open Review again to continue.</source>
      <translation>Die Suche wurde angehalten. Öffnen Sie die Durchsicht noch einmal, um sie fortzusetzen.</translation>
    </message>
    <message>
      <source>The search was stopped. Open this page again to continue.</source>
      <translation>Die Suche wurde angehalten. Öffnen Sie diese Seite noch einmal, um sie fortzusetzen.</translation>
    </message>
    <message>
      <source>The second backup folder, {0}, cannot be used ({1}).</source>
      <translation>Der zweite Sicherungsordner {0} kann nicht verwendet werden ({1}).</translation>
    </message>
    <message>
      <source>The second backup folder, {0}, is offline: connect its drive, or choose another folder.</source>
      <translation>Der zweite Sicherungsordner {0} ist nicht erreichbar: Schließen Sie sein Laufwerk an, oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
      <source>The share of the photo that is used is above 0 and at most 1, not {0}.</source>
      <translation>Der verwendete Anteil des Fotos ist über 0 und höchstens 1, nicht {0}.</translation>
    </message>
    <message>
      <source>The store {0} is closed: open the library again.</source>
      <translation>Der Speicher {0} ist geschlossen: Öffnen Sie die Bibliothek noch einmal.</translation>
    </message>
    <message>
      <source>The suggestions are hidden: widen the right column.</source>
      <translation>Die Vorschläge sind verdeckt: Verbreitern Sie zuerst die rechte Spalte.</translation>
    </message>
    <message>
      <source>The tag ratio in the space of a kernel</source>
      <translation>Das Schlagwortverhältnis im Raum eines Kerns</translation>
    </message>
    <message>
      <source>The tag {0!r} cannot be written to XMP.</source>
      <translation>Das Schlagwort {0!r} kann nicht in XMP geschrieben werden.</translation>
    </message>
    <message>
      <source>The tags of one of them were merged here before, so they are not independent.</source>
      <translation>Die Schlagwörter einer dieser Personen wurden hier schon übernommen, sind also nicht unabhängig.</translation>
    </message>
    <message>
      <source>The ten photos whose tags help most (Ctrl+K)</source>
      <translation>Die zehn Fotos, deren Schlagwörter am meisten helfen (Strg+K)</translation>
    </message>
    <message>
      <source>The tenth tag, and the next</source>
      <translation>Das zehnte Schlagwort und die nächsten</translation>
    </message>
    <message>
      <source>The text is longer than {0} characters: use fewer words.</source>
      <translation>Der Text ist länger als {0} Zeichen: Verwenden Sie weniger Wörter.</translation>
    </message>
    <message>
      <source>The text network does not run on {0} tokens ({1}).</source>
      <translation>Das Textnetz läuft nicht mit {0} Token ({1}).</translation>
    </message>
    <message>
      <source>The text network gave {0} values instead of {1}.</source>
      <translation>Das Textnetz hat {0} Werte statt {1} geliefert.</translation>
    </message>
    <message>
      <source>The text network returns values that are not finite.</source>
      <translation>Das Textnetz liefert Werte, die nicht endlich sind.</translation>
    </message>
    <message>
      <source>The text network takes {0} texts at a time: export it for one.</source>
      <translation>Das Textnetz nimmt {0} Texte auf einmal entgegen: Exportieren Sie es für einen einzelnen.</translation>
    </message>
    <message>
      <source>The text network takes {0} tokens, not {1}.</source>
      <translation>Das Textnetz nimmt {0} Token, nicht {1}.</translation>
    </message>
    <message>
      <source>The tokenizer finds no tokens in this text: use other words.</source>
      <translation>Der Tokenizer findet in diesem Text keine Token: Verwenden Sie andere Wörter.</translation>
    </message>
    <message>
      <source>The trail {0} no longer exists.</source>
      <translation>Die Spur {0} gibt es nicht mehr.</translation>
    </message>
    <message>
      <source>The two halves of this network do not match: it gives {0} values for a photo and {1} for a text. Choose other files, or other outputs.</source>
      <translation>Die beiden Teile dieses Netzes passen nicht zusammen: Es liefert {0} Werte für ein Foto und {1} für einen Text. Wählen Sie andere Dateien oder andere Ausgaben.</translation>
    </message>
    <message>
      <source>The values shown as black and white, by data type and channel, as JSON; auto: measured at the next indexing.</source>
      <translation>Die Werte, die schwarz und weiß gezeigt werden, nach Datentyp und Kanal, als JSON; auto: beim nächsten Einlesen gemessen.</translation>
    </message>
    <message>
      <source>The whole photo counts again</source>
      <translation>Das ganze Foto zählt wieder</translation>
    </message>
    <message>
      <source>The worker that decoded it was lost: it was killed, ran out of memory, or the decoder crashed.</source>
      <translation>Der Prozess, der die Datei dekodierte, ist ausgefallen: Er wurde beendet, hatte zu wenig Speicher, oder der Decoder stürzte ab.</translation>
    </message>
    <message>
      <source>The workers of the cluster cannot run this task ({0}: {1}): install this version of Focal and the same plug-ins on them.</source>
      <translation>Die Arbeitsprozesse des Clusters können diese Aufgabe nicht ausführen ({0}: {1}): Installieren Sie dort diese Version von Focal und dieselben Erweiterungen.</translation>
    </message>
    <message>
      <source>The workers of the cluster crash on this task: check their logs; they may lack memory.</source>
      <translation>Die Arbeitsprozesse des Clusters stürzen bei dieser Aufgabe ab: Sehen Sie in ihren Protokollen nach; vielleicht fehlt ihnen Speicher.</translation>
    </message>
    <message>
      <source>The {0} must be three numbers up to 1e6, for R, G and B, not {1}.</source>
      <translation>„{0}“ muss aus drei Zahlen bis 1e6 bestehen, für R, G und B, nicht {1}.</translation>
    </message>
    <message>
      <source>Theme</source>
      <translation>Erscheinungsbild</translation>
    </message>
    <message>
      <source>There are no described photos to pick from: index photos, or choose other ones.</source>
      <translation>Es gibt keine beschriebenen Fotos zur Auswahl: Lesen Sie Fotos ein, oder wählen Sie andere.</translation>
    </message>
    <message>
      <source>There are no duplicates among these photos, but there are some in the whole library.</source>
      <translation>Unter diesen Fotos sind keine Duplikate, in der ganzen Bibliothek aber schon.</translation>
    </message>
    <message>
      <source>There are no more questions here. Tag the rest by hand: Esc, then Ctrl+J.</source>
      <translation>Hier gibt es keine Fragen mehr. Verschlagworten Sie den Rest von Hand: Esc, dann Strg+J.</translation>
    </message>
    <message>
      <source>There are no more questions. Tag the rest by hand: Esc, then Ctrl+J.</source>
      <translation>Es gibt keine Fragen mehr. Verschlagworten Sie den Rest von Hand: Esc, dann Strg+J.</translation>
    </message>
    <message>
      <source>There are no more suggested boxes. Draw boxes on a few more photos, and Focal suggests others.</source>
      <translation>Es gibt keine weiteren Rahmenvorschläge. Zeichnen Sie Rahmen auf einigen weiteren Fotos, dann schlägt Focal andere vor.</translation>
    </message>
    <message>
      <source>There are no photos here now.</source>
      <translation>Hier sind keine Fotos mehr.</translation>
    </message>
    <message>
      <source>There are no photos in these folders.</source>
      <translation>In diesen Ordnern sind keine Fotos.</translation>
    </message>
    <message>
      <source>There are no photos in {0}.</source>
      <translation>In {0} sind keine Fotos.</translation>
    </message>
    <message>
      <source>There are no photos to compare.</source>
      <translation>Es gibt keine Fotos zum Vergleichen.</translation>
    </message>
    <message>
      <source>There are no photos to learn from yet: open a folder first.</source>
      <translation>Es gibt noch keine Fotos, aus denen gelernt werden kann: Öffnen Sie zuerst einen Ordner.</translation>
    </message>
    <message>
      <source>There are no photos to show.</source>
      <translation>Es gibt keine Fotos zum Zeigen.</translation>
    </message>
    <message>
      <source>There are no photos yet: open a folder first (Ctrl+O).</source>
      <translation>Es gibt noch keine Fotos: Öffnen Sie zuerst einen Ordner (Strg+O).</translation>
    </message>
    <message>
      <source>There are no such judgements.</source>
      <translation>Es gibt keine solchen Urteile.</translation>
    </message>
    <message>
      <source>There are no vectors {0!r} of all photos: choose one of {1}.</source>
      <translation>Es gibt keine Vektoren {0!r} aller Fotos: Wählen Sie einen von {1}.</translation>
    </message>
    <message>
      <source>There are too few tags and judgements to try {0}: tag or judge about {1} photos, then try it again.</source>
      <translation>Es gibt zu wenige Schlagwörter und Urteile, um {0} auszuprobieren: Verschlagworten oder beurteilen Sie etwa {1} Fotos, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
      <source>There are {0} unsaved changes.</source>
      <translation>Es gibt {0} ungespeicherte Änderungen.</translation>
    </message>
    <message>
      <source>There is 1 unsaved change.</source>
      <translation>Es gibt 1 ungespeicherte Änderung.</translation>
    </message>
    <message>
      <source>There is a metric {0} already: choose another name.</source>
      <translation>Es gibt schon eine Metrik {0}: Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
      <source>There is a saved search {0} already: choose another name.</source>
      <translation>Es gibt schon eine gespeicherte Suche {0}: Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
      <source>There is a tag {0} already: merge {1} into it, or choose another name.</source>
      <translation>Es gibt schon ein Schlagwort {0}: Führen Sie {1} damit zusammen, oder wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
      <source>There is a trail {0} already: choose another name.</source>
      <translation>Es gibt schon eine Spur {0}: Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
      <source>There is no backup of the library {0}: focal rescue extracts the intact data.</source>
      <translation>Es gibt keine Sicherung der Bibliothek {0}: focal rescue rettet die unversehrten Daten.</translation>
    </message>
    <message>
      <source>There is no backup {0}: focal backup --list shows all backups.</source>
      <translation>Es gibt keine Sicherung {0}: focal backup --list zeigt alle Sicherungen.</translation>
    </message>
    <message>
      <source>There is no backup.</source>
      <translation>Es gibt keine Sicherung.</translation>
    </message>
    <message>
      <source>There is no box on a photo that is present: draw a box first.</source>
      <translation>Kein vorhandenes Foto hat einen Rahmen: Zeichnen Sie zuerst einen.</translation>
    </message>
    <message>
      <source>There is no box with the number {0}: it may have been removed.</source>
      <translation>Es gibt keinen Rahmen mit der Nummer {0}: er wurde vielleicht entfernt.</translation>
    </message>
    <message>
      <source>There is no catalogue in {0}, so it cannot be restored.</source>
      <translation>In {0} ist kein Katalog, der wiederhergestellt werden könnte.</translation>
    </message>
    <message>
      <source>There is no descriptor {0!r}; there are {1}.</source>
      <translation>Es gibt keinen Deskriptor {0!r}; es gibt {1}.</translation>
    </message>
    <message>
      <source>There is no disagreement to settle.</source>
      <translation>Es gibt keine Abweichung zu entscheiden.</translation>
    </message>
    <message>
      <source>There is no earlier order yet: choose a focal image, then retrain or choose another metric.</source>
      <translation>Es gibt noch keine frühere Reihenfolge: Wählen Sie ein Fokusbild, und trainieren Sie dann neu, oder wählen Sie eine andere Metrik.</translation>
    </message>
    <message>
      <source>There is no example yet: the photos are still being described, or there are too few.</source>
      <translation>Es gibt noch kein Beispiel: Die Fotos werden noch beschrieben, oder es sind zu wenige.</translation>
    </message>
    <message>
      <source>There is no file {0}: give the path of {1}.</source>
      <translation>Es gibt keine Datei {0}: Geben Sie den Pfad an ({1}).</translation>
    </message>
    <message>
      <source>There is no focal image yet: double-click a photo.</source>
      <translation>Es gibt noch kein Fokusbild: Doppelklicken Sie auf ein Foto.</translation>
    </message>
    <message>
      <source>There is no format {0!r}; there are {1}.</source>
      <translation>Es gibt kein Format {0!r}; es gibt {1}.</translation>
    </message>
    <message>
      <source>There is no key {0}: use {1}, or put the whole word in quotes</source>
      <translation>{0} gibt es nicht: Verwenden Sie {1}, oder setzen Sie das ganze Wort in Anführungszeichen</translation>
    </message>
    <message>
      <source>There is no learner {0!r}: choose from {1}.</source>
      <translation>Es gibt kein Lernverfahren {0!r}: Wählen Sie eines von {1}.</translation>
    </message>
    <message>
      <source>There is no library in {0}.</source>
      <translation>In {0} ist keine Bibliothek.</translation>
    </message>
    <message>
      <source>There is no library in {0}: open it once for writing to create one.</source>
      <translation>In {0} ist keine Bibliothek: Öffnen Sie sie einmal zum Schreiben, um eine anzulegen.</translation>
    </message>
    <message>
      <source>There is no network {0!r}; there are: {1}.</source>
      <translation>Es gibt kein Netz {0!r}; es gibt: {1}.</translation>
    </message>
    <message>
      <source>There is no photo to try the network on: add a folder with photos first.</source>
      <translation>Es gibt kein Foto, um das Netz zu testen: Fügen Sie zuerst einen Ordner mit Fotos hinzu.</translation>
    </message>
    <message>
      <source>There is no rating {0}: use 1 to {1}, 0 for none, or {2} for rejected.</source>
      <translation>Es gibt keine Bewertung {0}: Verwenden Sie 1 bis {1}, 0 für keine oder {2} für verworfen.</translation>
    </message>
    <message>
      <source>There is no rejected box with the number {0}: it may have been removed.</source>
      <translation>Es gibt keinen abgelehnten Rahmen mit der Nummer {0}: er wurde vielleicht entfernt.</translation>
    </message>
    <message>
      <source>There is no setting {0!r}; there are {1}.</source>
      <translation>Es gibt keine Einstellung {0!r}; es gibt {1}.</translation>
    </message>
    <message>
      <source>There is no space for a copy of the catalogue: {0}.</source>
      <translation>Für eine Kopie des Katalogs ist kein Platz: {0}.</translation>
    </message>
    <message>
      <source>There is no tag {0}. Choose an existing tag, or rename {1} (F2).</source>
      <translation>Es gibt kein Schlagwort {0}. Wählen Sie ein vorhandenes, oder benennen Sie {1} um (F2).</translation>
    </message>
    <message>
      <source>There is no tag {0}: choose an existing tag.</source>
      <translation>Es gibt kein Schlagwort {0}: Wählen Sie ein vorhandenes.</translation>
    </message>
    <message>
      <source>There is no text to judge photos by.</source>
      <translation>Es gibt keinen Text, zu dem sich Fotos beurteilen lassen.</translation>
    </message>
    <message>
      <source>There is no text: describe what the photos should show.</source>
      <translation>Der Text fehlt: Beschreiben Sie, was die Fotos zeigen sollen.</translation>
    </message>
    <message>
      <source>There is nothing to export. No file was written.</source>
      <translation>Es gibt nichts zu exportieren. Es wurde keine Datei geschrieben.</translation>
    </message>
    <message>
      <source>There is nothing to learn from yet: judge a few photos, or tag some.</source>
      <translation>Es gibt noch nichts zu lernen: Beurteilen Sie einige Fotos, oder vergeben Sie Schlagwörter.</translation>
    </message>
    <message>
      <source>There is nothing to learn from yet: judge or tag a few photos first.</source>
      <translation>Es gibt noch nichts zu lernen: Beurteilen oder verschlagworten Sie zuerst einige Fotos.</translation>
    </message>
    <message>
      <source>There is nothing to measure with yet: judge or tag a few photos first.</source>
      <translation>Noch lässt sich nichts messen: Beurteilen oder verschlagworten Sie zuerst einige Fotos.</translation>
    </message>
    <message>
      <source>There is nothing to train for {0!r}: choose one of {1}.</source>
      <translation>Für {0!r} gibt es nichts zu trainieren: Wählen Sie eines von {1}.</translation>
    </message>
    <message>
      <source>These photos have nothing that local distances could be tested on.</source>
      <translation>An diesen Fotos lassen sich lokale Abstände nicht testen.</translation>
    </message>
    <message>
      <source>These photos seem to have no up, such as aerial photos or pictures from a microscope. Rankings improve if rotation is ignored; all photos are described again.</source>
      <translation>Diese Fotos scheinen kein Oben zu haben, wie Luftbilder oder Bilder aus dem Mikroskop. Rangfolgen werden besser, wenn die Drehung ignoriert wird; dabei werden alle Fotos neu beschrieben.</translation>
    </message>
    <message>
      <source>This DICOM file contains no picture.</source>
      <translation>Diese DICOM-Datei enthält kein Bild.</translation>
    </message>
    <message>
      <source>This DICOM file uses a compression for which pydicom needs another package: pip install pylibjpeg pylibjpeg-libjpeg.</source>
      <translation>Diese DICOM-Datei ist so komprimiert, dass pydicom ein weiteres Paket braucht: pip install pylibjpeg pylibjpeg-libjpeg.</translation>
    </message>
    <message>
      <source>This camera raw file is damaged or of an unknown kind: save the photo as JPEG or PNG.</source>
      <translation>Diese Rohdatei einer Kamera ist beschädigt oder von unbekannter Art: Speichern Sie das Foto als JPEG oder PNG.</translation>
    </message>
    <message>
      <source>This cannot be undone with Undo, because it is only part of a library folder: relocate it back instead.</source>
      <translation>„Rückgängig“ nimmt das nicht zurück, weil es nur ein Teil eines Ordners der Bibliothek ist: Ordnen Sie ihn stattdessen wieder dem alten Ort zu.</translation>
    </message>
    <message>
      <source>This chapter is not translated yet: it is shown in English.</source>
      <translation>Dieses Kapitel ist noch nicht übersetzt und steht hier auf Englisch.</translation>
    </message>
    <message>
      <source>This distance cannot be explained.</source>
      <translation>Dieser Abstand lässt sich nicht erklären.</translation>
    </message>
    <message>
      <source>This distance has no parts: nothing was learned about the focal image yet.</source>
      <translation>Dieser Abstand hat keine Teile: Über das Fokusbild wurde noch nichts gelernt.</translation>
    </message>
    <message>
      <source>This key has no tag yet. Ctrl+{0} assigns the last tag you added to it.</source>
      <translation>Diese Taste hat noch kein Schlagwort. Strg+{0} legt das zuletzt hinzugefügte darauf.</translation>
    </message>
    <message>
      <source>This photo cannot be read now.</source>
      <translation>Dieses Foto lässt sich jetzt nicht lesen.</translation>
    </message>
    <message>
      <source>This photo has no duplicates or burst.</source>
      <translation>Zu diesem Foto gibt es keine Duplikate und keine Serie.</translation>
    </message>
    <message>
      <source>This photo has no duplicates.</source>
      <translation>Dieses Foto hat keine Duplikate.</translation>
    </message>
    <message>
      <source>This version of Focal describes photos differently. The metric is trained again.</source>
      <translation>Diese Version von Focal beschreibt Fotos anders. Die Metrik wird neu trainiert.</translation>
    </message>
    <message>
      <source>Three principal components</source>
      <translation>Drei Hauptkomponenten</translation>
    </message>
    <message>
      <source>Time limit per photo</source>
      <translation>Zeitgrenze je Foto</translation>
    </message>
    <message>
      <source>Time of scientific images</source>
      <translation>Zeitpunkt wissenschaftlicher Bilder</translation>
    </message>
    <message>
      <source>Time per photo in a slideshow, in seconds.</source>
      <translation>Zeit je Foto in einer Diaschau, in Sekunden.</translation>
    </message>
    <message>
      <source>To compare them, tag eight photos with tags that other photos share.</source>
      <translation>Für den Vergleich brauchen acht Fotos Schlagwörter, die auch andere Fotos tragen.</translation>
    </message>
    <message>
      <source>To place similar things near each other, use an image encoder, or the second-to-last layer of a classifier. For faces, plants or tissue, use a network trained on such images. To search by text, use an image-and-text network: a file for images, a file for texts, and a tokenizer.json.</source>
      <translation>Damit ähnliche Dinge nahe beieinanderliegen: ein Bild-Encoder oder die vorletzte Schicht eines Klassifikators. Für Gesichter, Pflanzen oder Gewebe: ein Netz, das mit solchen Bildern trainiert wurde. Um nach einem Text zu suchen: ein Netz für Bilder und Texte, also eine Datei für Bilder, eine für Texte und eine tokenizer.json.</translation>
    </message>
    <message>
      <source>To the top level</source>
      <translation>Auf die oberste Ebene</translation>
    </message>
    <message>
      <source>Tokenizer</source>
      <translation>Tokenizer</translation>
    </message>
    <message>
      <source>Tokenizers (*.json)</source>
      <translation>Tokenizer (*.json)</translation>
    </message>
    <message>
      <source>Too close to tell whether the lens {0} ranks your photos better than the metric in use, {1}</source>
      <translation>Zu nahe beieinander, um zu sagen, ob der Blickwinkel {0} Ihre Fotos besser ordnet als die verwendete Metrik, {1}</translation>
    </message>
    <message>
      <source>Too little data to measure improvement.</source>
      <translation>Zu wenige Daten, um eine Verbesserung zu messen.</translation>
    </message>
    <message>
      <source>Trail</source>
      <translation>Spur</translation>
    </message>
    <message>
      <source>Train</source>
      <translation>Trainieren</translation>
    </message>
    <message>
      <source>Train a metric</source>
      <translation>Metrik trainieren</translation>
    </message>
    <message>
      <source>Train local distances</source>
      <translation>Lokale Abstände trainieren</translation>
    </message>
    <message>
      <source>Train metric: {0}</source>
      <translation>Metrik trainieren: {0}</translation>
    </message>
    <message>
      <source>Train on some of your tags and judgements and test on the rest</source>
      <translation>Trainiert mit einem Teil Ihrer Schlagwörter und Urteile und testet mit dem Rest</translation>
    </message>
    <message>
      <source>Train: {0}</source>
      <translation>Trainieren: {0}</translation>
    </message>
    <message>
      <source>Trained, not measured.</source>
      <translation>Trainiert, nicht gemessen.</translation>
    </message>
    <message>
      <source>Training</source>
      <translation>Training</translation>
    </message>
    <message>
      <source>Training error by round</source>
      <translation>Trainingsfehler je Runde</translation>
    </message>
    <message>
      <source>Training…</source>
      <translation>Training läuft…</translation>
    </message>
    <message>
      <source>Tries the learners that suit the data, and uses the one that ranks held-out data best</source>
      <translation>Probiert die Lernverfahren, die zu den Daten passen, und verwendet das, das zurückgehaltene Daten am besten ordnet</translation>
    </message>
    <message>
      <source>Try</source>
      <translation>Ausprobieren</translation>
    </message>
    <message>
      <source>Try it first: Focal compares it with the metric in use on the photos that you have tagged or judged. About 30 are enough to notice a large difference. Nothing changes until you use the lens.</source>
      <translation>Probieren Sie ihn zuerst aus: Focal vergleicht ihn mit der verwendeten Metrik an den Fotos, die Sie verschlagwortet oder beurteilt haben. Etwa 30 reichen, um einen großen Unterschied zu bemerken. Es ändert sich nichts, bis Sie den Blickwinkel verwenden.</translation>
    </message>
    <message>
      <source>Try on 10 photos</source>
      <translation>An 10 Fotos testen</translation>
    </message>
    <message>
      <source>Trying a lens</source>
      <translation>Ein Blickwinkel wird ausprobiert</translation>
    </message>
    <message>
      <source>Trying local distances</source>
      <translation>Lokale Abstände werden getestet</translation>
    </message>
    <message>
      <source>Trying the network</source>
      <translation>Netz wird getestet</translation>
    </message>
    <message>
      <source>Trying to restore</source>
      <translation>Wiederherstellung wird getestet</translation>
    </message>
    <message>
      <source>Trying…</source>
      <translation>Wird ausprobiert …</translation>
    </message>
    <message>
      <source>Turn the principal components</source>
      <translation>Die Hauptkomponenten drehen</translation>
    </message>
    <message>
      <source>Two metrics</source>
      <translation>Zwei Metriken</translation>
    </message>
    <message>
      <source>Typical photos</source>
      <translation>Typische Fotos</translation>
    </message>
    <message>
      <source>Typing any of these names adds this tag.</source>
      <translation>Wenn Sie eines davon eintippen, wird dieses Schlagwort vergeben.</translation>
    </message>
    <message>
      <source>Uncheck all</source>
      <translation>Alle abwählen</translation>
    </message>
    <message>
      <source>Uncropped, justified rows</source>
      <translation>Unbeschnitten, im Blocksatz</translation>
    </message>
    <message>
      <source>Undo</source>
      <translation>Rückgängig</translation>
    </message>
    <message>
      <source>Undo (Ctrl+Z) reverts it.</source>
      <translation>„Rückgängig“ (Strg+Z) nimmt es zurück.</translation>
    </message>
    <message>
      <source>Undo {0}</source>
      <translation>{0} zurücknehmen</translation>
    </message>
    <message>
      <source>Undone: {0}</source>
      <translation>Rückgängig gemacht: {0}</translation>
    </message>
    <message>
      <source>Unmark {0}</source>
      <translation>Urteil zu {0} zurücknehmen</translation>
    </message>
    <message>
      <source>Unnamed box</source>
      <translation>Rahmen ohne Namen</translation>
    </message>
    <message>
      <source>Unpack into a new library…</source>
      <translation>In eine neue Bibliothek entpacken…</translation>
    </message>
    <message>
      <source>Unpacking</source>
      <translation>Archiv wird entpackt</translation>
    </message>
    <message>
      <source>Unpacking an archive</source>
      <translation>Archiv wird entpackt</translation>
    </message>
    <message>
      <source>Untag {0}: {1}</source>
      <translation>Schlagwort entfernen von {0}: {1}</translation>
    </message>
    <message>
      <source>Untagged</source>
      <translation>Ohne Schlagwort</translation>
    </message>
    <message>
      <source>Untagged photos that are unlike the tagged ones, or between several tags.</source>
      <translation>Fotos ohne Schlagwort, die den verschlagworteten nicht ähneln oder zwischen mehreren Schlagwörtern liegen.</translation>
    </message>
    <message>
      <source>Up to three channels for red, green and blue, such as 2,1,0 (0: none); a single channel is grey. auto: the first channels.</source>
      <translation>Bis zu drei Kanäle für Rot, Grün und Blau, etwa 2,1,0 (0: keiner); ein einzelner Kanal ist grau. auto: die ersten.</translation>
    </message>
    <message>
      <source>Update rankings &amp;immediately after judgements</source>
      <translation>Rangfolgen sofort nach jedem &amp;Urteil anpassen</translation>
    </message>
    <message>
      <source>Update rankings immediately after judgements</source>
      <translation>Rangfolgen sofort nach jedem Urteil anpassen</translation>
    </message>
    <message>
      <source>Updates with every judgement.</source>
      <translation>Folgt jedem Urteil sofort.</translation>
    </message>
    <message>
      <source>Use</source>
      <translation>Verwenden</translation>
    </message>
    <message>
      <source>Use an index above this many photos</source>
      <translation>Index ab dieser Zahl von Fotos</translation>
    </message>
    <message>
      <source>Use it anyway</source>
      <translation>Trotzdem verwenden</translation>
    </message>
    <message>
      <source>Use metric: {0}</source>
      <translation>Metrik verwenden: {0}</translation>
    </message>
    <message>
      <source>Use the whole photo</source>
      <translation>Ganzes Foto verwenden</translation>
    </message>
    <message>
      <source>Use the whole photo again</source>
      <translation>Wieder das ganze Foto verwenden</translation>
    </message>
    <message>
      <source>Use this metric</source>
      <translation>Diese Metrik verwenden</translation>
    </message>
    <message>
      <source>Values</source>
      <translation>Werte</translation>
    </message>
    <message>
      <source>Verified</source>
      <translation>Geprüft</translation>
    </message>
    <message>
      <source>Verify</source>
      <translation>Prüfen</translation>
    </message>
    <message>
      <source>Verify it</source>
      <translation>Prüfen</translation>
    </message>
    <message>
      <source>Verifying</source>
      <translation>Wird geprüft</translation>
    </message>
    <message>
      <source>Verifying a backup</source>
      <translation>Sicherung wird geprüft</translation>
    </message>
    <message>
      <source>Verifying the backups</source>
      <translation>Sicherungen werden geprüft</translation>
    </message>
    <message>
      <source>Video</source>
      <translation>Video</translation>
    </message>
    <message>
      <source>View single photo</source>
      <translation>Einzeln ansehen</translation>
    </message>
    <message>
      <source>View single photo (Space); Ctrl+click (F) adds it to the selection; drag a box to search by that part</source>
      <translation>Einzelnes Foto ansehen (Leertaste); Strg+Klick (F) nimmt es in die Auswahl auf; einen Rahmen ziehen sucht mit diesem Ausschnitt</translation>
    </message>
    <message>
      <source>Visual words</source>
      <translation>Visuelle Wörter</translation>
    </message>
    <message>
      <source>Votes</source>
      <translation>Stimmen</translation>
    </message>
    <message>
      <source>Votes by rank</source>
      <translation>Stimmen nach Rang</translation>
    </message>
    <message>
      <source>Votes of many mixture models on whether two photos belong together</source>
      <translation>Viele Mischmodelle stimmen ab, ob zwei Fotos zusammengehören</translation>
    </message>
    <message>
      <source>Votes of the five nearest photos, by &amp;rank</source>
      <translation>Stimmen der fünf nächsten Fotos, nach &amp;Rang</translation>
    </message>
    <message>
      <source>Was</source>
      <translation>Bisher in</translation>
    </message>
    <message>
      <source>Watch folders</source>
      <translation>Ordner überwachen</translation>
    </message>
    <message>
      <source>Weak matches: photos below are probably different.</source>
      <translation>Schwache Treffer: Fotos darunter sind wahrscheinlich verschieden.</translation>
    </message>
    <message>
      <source>Weight of each feature family</source>
      <translation>Gewicht jeder Merkmalsfamilie</translation>
    </message>
    <message>
      <source>Weight of the patches around each point, from zero to the maximum in this photo</source>
      <translation>Gewicht der Ausschnitte um jeden Punkt, von null bis zum größten in diesem Foto</translation>
    </message>
    <message>
      <source>Weight of the untrained distance</source>
      <translation>Gewicht des untrainierten Abstands</translation>
    </message>
    <message>
      <source>What Focal has learned, and whether it helped (Ctrl+Shift+L)</source>
      <translation>Was Focal gelernt hat und ob es hilft (Strg+Umschalt+L)</translation>
    </message>
    <message>
      <source>What are these? Type a name, Enter</source>
      <translation>Was ist das? Namen tippen, Enter</translation>
    </message>
    <message>
      <source>What else is in this photo?</source>
      <translation>Was ist noch auf diesem Foto?</translation>
    </message>
    <message>
      <source>What goes in is (level − mean) × scale, levels from 0 to 255</source>
      <translation>Die Eingabe ist (Wert − Mittel) × Skalierung, Werte von 0 bis 255</translation>
    </message>
    <message>
      <source>What is in this photo?</source>
      <translation>Was ist auf diesem Foto?</translation>
    </message>
    <message>
      <source>What is it?</source>
      <translation>Was ist das?</translation>
    </message>
    <message>
      <source>What is it? Press a digit, or type a name and press Enter. Tab skips it.</source>
      <translation>Was ist das? Ziffer, oder Name und Enter. Tab überspringt das Foto.</translation>
    </message>
    <message>
      <source>What the photos show</source>
      <translation>Was die Fotos zeigen</translation>
    </message>
    <message>
      <source>What the photos show: a red boat</source>
      <translation>Was die Fotos zeigen: ein rotes Boot</translation>
    </message>
    <message>
      <source>What to sync</source>
      <translation>Was abgeglichen wird</translation>
    </message>
    <message>
      <source>When</source>
      <translation>Wann</translation>
    </message>
    <message>
      <source>When photos are indexed, import ratings and labels from photos and sidecars, and find their tags.</source>
      <translation>Beim Einlesen Bewertungen und Farbmarkierungen aus Fotos und Begleitdateien importieren und die Schlagwörter darin finden.</translation>
    </message>
    <message>
      <source>Which image of a time series is shown, counted from 1.</source>
      <translation>Welches Bild einer Zeitreihe gezeigt wird, ab 1.</translation>
    </message>
    <message>
      <source>Which of these are {0}?</source>
      <translation>Welche davon sind {0}?</translation>
    </message>
    <message>
      <source>Which plane of a z-stack is shown, counted from 1; 0: the middle plane.</source>
      <translation>Welche Ebene eines Stapels gezeigt wird, ab 1; 0: die mittlere.</translation>
    </message>
    <message>
      <source>Which side wins if a rating or label was changed on both: focal, sidecar, or ask.</source>
      <translation>Welche Seite gilt, wenn eine Bewertung oder Farbmarkierung auf beiden geändert wurde: focal, sidecar oder ask.</translation>
    </message>
    <message>
      <source>Who answered? Measured on planted photos with known answers</source>
      <translation>Wer hat geantwortet? Gemessen an Kontrollfotos mit bekannten Antworten</translation>
    </message>
    <message>
      <source>Whole map</source>
      <translation>Ganze Karte</translation>
    </message>
    <message>
      <source>Whole photo, distorted</source>
      <translation>Ganzes Foto, verzerrt</translation>
    </message>
    <message>
      <source>Whole photos (C)</source>
      <translation>Ganze Fotos (C)</translation>
    </message>
    <message>
      <source>Why</source>
      <translation>Warum</translation>
    </message>
    <message>
      <source>Why is this near?</source>
      <translation>Warum ist das nahe?</translation>
    </message>
    <message>
      <source>Why this tag? (hold)</source>
      <translation>Warum dieses Schlagwort? (halten)</translation>
    </message>
    <message>
      <source>Why?</source>
      <translation>Warum?</translation>
    </message>
    <message>
      <source>Width of the input in pixels</source>
      <translation>Breite der Eingabe in Pixeln</translation>
    </message>
    <message>
      <source>Windows</source>
      <translation>Fenster</translation>
    </message>
    <message>
      <source>Windows keywords</source>
      <translation>Windows-Schlagwörter</translation>
    </message>
    <message>
      <source>Windows metafile</source>
      <translation>Windows-Metafile</translation>
    </message>
    <message>
      <source>Windows, for searches by a region</source>
      <translation>Fenster, für die Suche mit einem Ausschnitt</translation>
    </message>
    <message>
      <source>With Ctrl, it becomes the focal image.</source>
      <translation>Mit Strg wird es zum Fokusbild.</translation>
    </message>
    <message>
      <source>With suggestions</source>
      <translation>Mit Vorschlägen</translation>
    </message>
    <message>
      <source>Withdraw (U)</source>
      <translation>Zurücknehmen (U)</translation>
    </message>
    <message>
      <source>Withdrawn</source>
      <translation>Zurückgenommen</translation>
    </message>
    <message>
      <source>Without {0}, {1} would be closer.</source>
      <translation>Ohne {0} wäre {1} näher.</translation>
    </message>
    <message>
      <source>Words from tags, names and folders; tag:dog, -tag:cat, untagged, judged, suggested:sea, date:2024-05, rating&gt;=3, size&gt;2mb, similar:a.jpg; or, and brackets: (beach or tag:sea) -failed. Enter after text:a red boat ranks by a text</source>
      <translation>Wörter aus Schlagwörtern, Namen und Ordnern; tag:Hund, -tag:Katze, untagged, judged, suggested:Meer, date:2024-05, rating&gt;=3, size&gt;2mb, similar:a.jpg; or und Klammern: (Strand or tag:Meer) -failed. Enter nach text:ein rotes Boot ordnet nach einem Text</translation>
    </message>
    <message>
      <source>Working</source>
      <translation>In Arbeit</translation>
    </message>
    <message>
      <source>Worse: {0} % right, {1} % without learning.</source>
      <translation>Schlechter: {0} % richtig, {1} % ohne Lernen.</translation>
    </message>
    <message>
      <source>Would lose {0} {1}: {2}</source>
      <translation>Verlust: {0} {1} ({2})</translation>
    </message>
    <message>
      <source>Would restore {0} {1}: {2}</source>
      <translation>Käme zurück: {0} {1} ({2})</translation>
    </message>
    <message>
      <source>Write sidecars automatically</source>
      <translation>Begleitdateien automatisch schreiben</translation>
    </message>
    <message>
      <source>Write sidecars only</source>
      <translation>Nur Begleitdateien schreiben</translation>
    </message>
    <message>
      <source>Write the certificate as a page to print, or as JSON</source>
      <translation>Den Prüfbericht als Seite zum Drucken oder als JSON schreiben</translation>
    </message>
    <message>
      <source>Writing frames</source>
      <translation>Einzelbilder werden geschrieben</translation>
    </message>
    <message>
      <source>Writing sidecars</source>
      <translation>Begleitdateien werden geschrieben</translation>
    </message>
    <message>
      <source>Writing the certificate</source>
      <translation>Prüfbericht wird geschrieben</translation>
    </message>
    <message>
      <source>Written by Focal</source>
      <translation>Geschrieben von Focal</translation>
    </message>
    <message>
      <source>Written to the sidecar</source>
      <translation>In die Begleitdatei geschrieben</translation>
    </message>
    <message>
      <source>XML or SVG</source>
      <translation>XML oder SVG</translation>
    </message>
    <message>
      <source>XMP sidecars</source>
      <translation>XMP-Begleitdateien</translation>
    </message>
    <message>
      <source>XMP subject</source>
      <translation>XMP-Schlagwörter</translation>
    </message>
    <message>
      <source>YOLO object detection</source>
      <translation>YOLO-Objekterkennung</translation>
    </message>
    <message>
      <source>Yellow</source>
      <translation>Gelb</translation>
    </message>
    <message>
      <source>Yes or no to the current box</source>
      <translation>Ja oder nein zum aktuellen Rahmen</translation>
    </message>
    <message>
      <source>Yes or no to the current photo</source>
      <translation>Ja oder nein zum aktuellen Foto</translation>
    </message>
    <message>
      <source>Yes to {0}</source>
      <translation>Ja zu {0}</translation>
    </message>
    <message>
      <source>You answered this box. Undo the answer (Ctrl+Z) to change it.</source>
      <translation>Sie haben diesen Rahmen schon beantwortet. Nehmen Sie die Antwort zurück (Strg+Z), um sie zu ändern.</translation>
    </message>
    <message>
      <source>You have answered this before.</source>
      <translation>Das haben Sie schon einmal beantwortet.</translation>
    </message>
    <message>
      <source>You have no permission to read the library {0}: ask its owner.</source>
      <translation>Sie dürfen die Bibliothek {0} nicht lesen: Bitten Sie den Eigentümer um Erlaubnis.</translation>
    </message>
    <message>
      <source>Your choice</source>
      <translation>Von Ihnen geändert</translation>
    </message>
    <message>
      <source>Your judgements</source>
      <translation>Ihre Urteile</translation>
    </message>
    <message>
      <source>Your library was moved to {0} but is not there: connect its drive, or move the library back there. To start a new library, delete {1}.</source>
      <translation>Ihre Bibliothek wurde nach {0} verschoben und ist jetzt nicht dort: Schließen Sie das Laufwerk an, oder verschieben Sie die Bibliothek dorthin zurück. Um eine neue anzulegen, löschen Sie {1}.</translation>
    </message>
    <message>
      <source>Your own network is another way to compare photos: an ONNX file that includes its weights, takes an image and returns numbers. Focal does not download networks: choose a file, or drop it here.</source>
      <translation>Ein eigenes Netz ist eine weitere Art, Fotos zu vergleichen: eine ONNX-Datei, die ihre Gewichte enthält, ein Bild entgegennimmt und Zahlen ausgibt. Focal lädt keine Netze herunter: Wählen Sie eine Datei, oder ziehen Sie sie hierher.</translation>
    </message>
    <message>
      <source>Your own networks</source>
      <translation>Eigene Netze</translation>
    </message>
    <message>
      <source>Your photos, by your own notion of similar</source>
      <translation>Ihre Fotos, nach dem, was für Sie ähnlich ist</translation>
    </message>
    <message>
      <source>Zoom</source>
      <translation>Zoom</translation>
    </message>
    <message>
      <source>Zoom and move all photos together (L)</source>
      <translation>Alle Fotos gemeinsam vergrößern und verschieben (L)</translation>
    </message>
    <message>
      <source>Zoom and move them together or separately</source>
      <translation>Gemeinsam oder einzeln vergrößern und verschieben</translation>
    </message>
    <message>
      <source>a camera</source>
      <translation>Kamera</translation>
    </message>
    <message>
      <source>a number or a date</source>
      <translation>Zahl oder Datum</translation>
    </message>
    <message>
      <source>a program</source>
      <translation>einem Programm</translation>
    </message>
    <message>
      <source>a-z, 0-9 and _, a letter first</source>
      <translation>a-z, 0-9 und _, zuerst ein Buchstabe</translation>
    </message>
    <message numerus="yes">
      <source>about %n hours</source>
      <translation>
        <numerusform>etwa %n Stunde</numerusform>
        <numerusform>etwa %n Stunden</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>about %n minutes</source>
      <translation>
        <numerusform>etwa %n Minute</numerusform>
        <numerusform>etwa %n Minuten</numerusform>
      </translation>
    </message>
    <message>
      <source>about a minute</source>
      <translation>etwa eine Minute</translation>
    </message>
    <message>
      <source>add stars, and labels from 6 on</source>
      <translation>vergeben Sterne, ab 6 Farbmarkierungen</translation>
    </message>
    <message>
      <source>add tags</source>
      <translation>vergeben Schlagwörter</translation>
    </message>
    <message>
      <source>after Qi et al. 2009</source>
      <translation>nach Qi et al. 2009</translation>
    </message>
    <message>
      <source>after Saunders et al. 1998</source>
      <translation>nach Saunders et al. 1998</translation>
    </message>
    <message>
      <source>after {0}</source>
      <translation>nach {0}</translation>
    </message>
    <message>
      <source>again</source>
      <translation>jetzt</translation>
    </message>
    <message>
      <source>all</source>
      <translation>alle</translation>
    </message>
    <message>
      <source>all but {0}</source>
      <translation>alle außer {0}</translation>
    </message>
    <message>
      <source>an improvement, perhaps by chance; {0}</source>
      <translation>eine Verbesserung, vielleicht durch Zufall; {0}</translation>
    </message>
    <message>
      <source>another program</source>
      <translation>einem anderen Programm</translation>
    </message>
    <message>
      <source>any two photos</source>
      <translation>zwei beliebige Fotos</translation>
    </message>
    <message>
      <source>appearance</source>
      <translation>Aussehen</translation>
    </message>
    <message>
      <source>arrows: choose a photo  ·  Space, Backspace: replace it with the next or previous  ·  S, D: similar to the focal image or not  ·  Shift+N: nearer than the other  ·  T, 1 to 9: tag  ·  Alt+1 to 5: rate, Alt+X: reject  ·  wheel, + and -: zoom, Z: full size</source>
      <translation>Pfeile: Foto wählen  ·  Leertaste, Rücktaste: durch das nächste oder vorige ersetzen  ·  S, D: dem Fokusbild ähnlich oder nicht  ·  Umschalt+N: näher als das andere  ·  T, 1 bis 9: Schlagwort  ·  Alt+1 bis 5: bewerten, Alt+X: verwerfen  ·  Mausrad, + und -: Zoom, Z: volle Größe</translation>
    </message>
    <message>
      <source>as printed</source>
      <translation>wie gedruckt</translation>
    </message>
    <message>
      <source>ask for a lens that was trained again</source>
      <translation>Bitten Sie um einen neu trainierten Blickwinkel</translation>
    </message>
    <message>
      <source>axes</source>
      <translation>Achsen</translation>
    </message>
    <message>
      <source>beach, or animal/dog</source>
      <translation>Strand, oder Tier/Hund</translation>
    </message>
    <message>
      <source>before</source>
      <translation>früher</translation>
    </message>
    <message>
      <source>bold</source>
      <translation>mutig</translation>
    </message>
    <message>
      <source>box {0}</source>
      <translation>Rahmen {0}</translation>
    </message>
    <message>
      <source>box {0} moved</source>
      <translation>Rahmen {0} verschoben</translation>
    </message>
    <message>
      <source>box {0} renamed to {1}</source>
      <translation>Rahmen {0} umbenannt in {1}</translation>
    </message>
    <message>
      <source>broken</source>
      <translation>fehlerhaft</translation>
    </message>
    <message>
      <source>cannot be shown: {0}</source>
      <translation>lässt sich nicht zeigen: {0}</translation>
    </message>
    <message>
      <source>cautious</source>
      <translation>vorsichtig</translation>
    </message>
    <message>
      <source>channels</source>
      <translation>Kanäle</translation>
    </message>
    <message>
      <source>click or ← →: choose which to keep</source>
      <translation>Klick oder ← →: welches behalten wird</translation>
    </message>
    <message>
      <source>closed form of LDA's ratio</source>
      <translation>geschlossene Form des LDA-Verhältnisses</translation>
    </message>
    <message>
      <source>colour</source>
      <translation>Farbe</translation>
    </message>
    <message>
      <source>colours</source>
      <translation>Farben</translation>
    </message>
    <message>
      <source>colours are missing in its palette</source>
      <translation>in ihrer Palette fehlen Farben</translation>
    </message>
    <message>
      <source>confidence, %</source>
      <translation>Sicherheit, %</translation>
    </message>
    <message>
      <source>contains most of its photos</source>
      <translation>die meisten seiner Fotos sind dort</translation>
    </message>
    <message>
      <source>cropped to squares</source>
      <translation>quadratisch beschnitten</translation>
    </message>
    <message>
      <source>d MMMM</source>
      <translation>d. MMMM</translation>
    </message>
    <message>
      <source>d MMMM yyyy</source>
      <translation>d. MMMM yyyy</translation>
    </message>
    <message>
      <source>damaged</source>
      <translation>beschädigt</translation>
    </message>
    <message>
      <source>descriptor</source>
      <translation>Deskriptor</translation>
    </message>
    <message>
      <source>different photo: {0}</source>
      <translation>ein anderes Foto: {0}</translation>
    </message>
    <message>
      <source>done again</source>
      <translation>wiederholt</translation>
    </message>
    <message>
      <source>en</source>
      <translation>de</translation>
    </message>
    <message>
      <source>expected a number from {0:g} to {1:g}</source>
      <translation>erwartet wird eine Zahl von {0:g} bis {1:g}</translation>
    </message>
    <message>
      <source>expected a whole number from {0} to {1}</source>
      <translation>erwartet wird eine ganze Zahl von {0} bis {1}</translation>
    </message>
    <message>
      <source>expected on or off</source>
      <translation>erwartet wird on oder off</translation>
    </message>
    <message>
      <source>fell by {0}</source>
      <translation>um {0} gefallen</translation>
    </message>
    <message>
      <source>few rounds</source>
      <translation>wenige Runden</translation>
    </message>
    <message>
      <source>file format</source>
      <translation>Dateiformat</translation>
    </message>
    <message>
      <source>filter: {0}</source>
      <translation>Filter: {0}</translation>
    </message>
    <message>
      <source>folder: {0}</source>
      <translation>Ordner: {0}</translation>
    </message>
    <message>
      <source>images</source>
      <translation>Bilder</translation>
    </message>
    <message>
      <source>images and texts</source>
      <translation>Bilder und Texte</translation>
    </message>
    <message>
      <source>in a single photo</source>
      <translation>in einem einzigen Foto</translation>
    </message>
    <message>
      <source>index more photos</source>
      <translation>Lesen Sie mehr Fotos ein</translation>
    </message>
    <message>
      <source>it cannot be opened</source>
      <translation>er kann nicht geöffnet werden</translation>
    </message>
    <message>
      <source>it contains no picture</source>
      <translation>sie enthält kein Bild</translation>
    </message>
    <message>
      <source>it crops {0}x{1} pixels out of fewer.</source>
      <translation>sie schneidet {0}x{1} Pixel aus weniger Pixeln aus.</translation>
    </message>
    <message>
      <source>it does not improve them measurably</source>
      <translation>sie verbessert sie nicht messbar</translation>
    </message>
    <message>
      <source>it has {0:,} bytes, more than the allowed {1:,}</source>
      <translation>sie hat {0:,} Byte, erlaubt sind {1:,}</translation>
    </message>
    <message>
      <source>it holds {0} {1}, and the manifest says {2}</source>
      <translation>er enthält {0} {1}, laut Verzeichnis sind es {2}</translation>
    </message>
    <message>
      <source>it is not a regular file</source>
      <translation>sie ist keine gewöhnliche Datei</translation>
    </message>
    <message>
      <source>it resizes photos without keeping their proportions before it crops them, which Focal does not support.</source>
      <translation>sie verzerrt Fotos vor dem Zuschneiden, was Focal nicht unterstützt.</translation>
    </message>
    <message>
      <source>its end is missing</source>
      <translation>ihr Ende fehlt</translation>
    </message>
    <message>
      <source>its folder is offline. Connect its drive, or relocate the folder (File menu) if it was moved.</source>
      <translation>sein Ordner ist nicht erreichbar. Schließen Sie das Laufwerk an, oder ordnen Sie den Ordner neu zu (Menü Datei), wenn er verschoben wurde.</translation>
    </message>
    <message>
      <source>its gain takes too long to measure</source>
      <translation>ihren Gewinn zu messen dauert zu lange</translation>
    </message>
    <message>
      <source>its header is invalid</source>
      <translation>ihr Dateikopf ist ungültig</translation>
    </message>
    <message>
      <source>its headers contradict each other</source>
      <translation>ihre Dateiköpfe widersprechen einander</translation>
    </message>
    <message>
      <source>its pixels are out of range</source>
      <translation>ihre Pixel liegen außerhalb des Wertebereichs</translation>
    </message>
    <message>
      <source>its pixels cannot be decoded</source>
      <translation>ihre Pixel lassen sich nicht lesen</translation>
    </message>
    <message>
      <source>its schema has no version</source>
      <translation>sein Schema hat keine Version</translation>
    </message>
    <message>
      <source>judged not similar</source>
      <translation>als unähnlich beurteilt</translation>
    </message>
    <message>
      <source>judged pairs in order</source>
      <translation>beurteilte Paare richtig geordnet</translation>
    </message>
    <message>
      <source>judged pairs or tags</source>
      <translation>beurteilten Paaren oder Schlagwörtern</translation>
    </message>
    <message>
      <source>judged pairs, or tags that several photos share</source>
      <translation>beurteilten Paaren oder Schlagwörtern, die mehrere Fotos tragen</translation>
    </message>
    <message>
      <source>judged pairs, tags</source>
      <translation>beurteilten Paaren, Schlagwörtern</translation>
    </message>
    <message>
      <source>judged similar</source>
      <translation>als ähnlich beurteilt</translation>
    </message>
    <message>
      <source>k must be at least 1 and folds at least 2, not {0} and {1}.</source>
      <translation>k muss mindestens 1 und folds mindestens 2 sein, nicht {0} und {1}.</translation>
    </message>
    <message>
      <source>keys apply to {0}</source>
      <translation>Tasten gelten für {0}</translation>
    </message>
    <message>
      <source>labels</source>
      <translation>Farbmarkierungen</translation>
    </message>
    <message>
      <source>large shapes</source>
      <translation>große Formen</translation>
    </message>
    <message>
      <source>learned</source>
      <translation>gelernt</translation>
    </message>
    <message>
      <source>learner</source>
      <translation>Lernverfahren</translation>
    </message>
    <message>
      <source>like these {0}</source>
      <translation>wie diese {0}</translation>
    </message>
    <message>
      <source>like:</source>
      <translation>wie:</translation>
    </message>
    <message>
      <source>looking…</source>
      <translation>wird gesucht…</translation>
    </message>
    <message>
      <source>looks alike</source>
      <translation>sieht gleich aus</translation>
    </message>
    <message>
      <source>many rounds</source>
      <translation>viele Runden</translation>
    </message>
    <message>
      <source>means alike</source>
      <translation>bedeutet dasselbe</translation>
    </message>
    <message>
      <source>megabytes</source>
      <translation>Megabyte</translation>
    </message>
    <message>
      <source>megapixels</source>
      <translation>Megapixel</translation>
    </message>
    <message>
      <source>missing: {0}</source>
      <translation>fehlt: {0}</translation>
    </message>
    <message>
      <source>most</source>
      <translation>am meisten</translation>
    </message>
    <message>
      <source>n = {0}</source>
      <translation>n = {0}</translation>
    </message>
    <message>
      <source>n = {0}, ±{1}</source>
      <translation>n = {0}, ±{1}</translation>
    </message>
    <message>
      <source>nearer than another photo</source>
      <translation>näher als ein anderes Foto</translation>
    </message>
    <message>
      <source>nearest to {0}</source>
      <translation>nach Nähe zu {0}</translation>
    </message>
    <message>
      <source>next indexing</source>
      <translation>nächstes Einlesen</translation>
    </message>
    <message>
      <source>next:</source>
      <translation>weiter:</translation>
    </message>
    <message>
      <source>no label</source>
      <translation>keine Farbmarkierung</translation>
    </message>
    <message>
      <source>no measurable improvement; {0}</source>
      <translation>keine messbare Verbesserung; {0}</translation>
    </message>
    <message>
      <source>no name</source>
      <translation>kein Name</translation>
    </message>
    <message>
      <source>no rating</source>
      <translation>keine Bewertung</translation>
    </message>
    <message>
      <source>no tags</source>
      <translation>keine Schlagwörter</translation>
    </message>
    <message>
      <source>none</source>
      <translation>keine</translation>
    </message>
    <message>
      <source>none yet</source>
      <translation>noch keine</translation>
    </message>
    <message>
      <source>not like</source>
      <translation>nicht wie</translation>
    </message>
    <message>
      <source>not loaded</source>
      <translation>nicht geladen</translation>
    </message>
    <message>
      <source>not {0}</source>
      <translation>nicht {0}</translation>
    </message>
    <message>
      <source>nothing</source>
      <translation>nichts</translation>
    </message>
    <message>
      <source>nothing selected</source>
      <translation>nichts ausgewählt</translation>
    </message>
    <message>
      <source>off</source>
      <translation>aus</translation>
    </message>
    <message>
      <source>older metric:</source>
      <translation>ältere Metrik:</translation>
    </message>
    <message>
      <source>on</source>
      <translation>ein</translation>
    </message>
    <message>
      <source>on the keys: {0}</source>
      <translation>auf den Tasten: {0}</translation>
    </message>
    <message>
      <source>open suggestions: {0}</source>
      <translation>offene Vorschläge: {0}</translation>
    </message>
    <message>
      <source>optional (.onnx)</source>
      <translation>optional (.onnx)</translation>
    </message>
    <message>
      <source>or drop a folder here</source>
      <translation>oder einen Ordner hier ablegen</translation>
    </message>
    <message>
      <source>other</source>
      <translation>anderes</translation>
    </message>
    <message>
      <source>other names: {0}</source>
      <translation>Synonyme: {0}</translation>
    </message>
    <message>
      <source>outdated</source>
      <translation>veraltet</translation>
    </message>
    <message>
      <source>output</source>
      <translation>Ausgabe</translation>
    </message>
    <message>
      <source>part of {0}</source>
      <translation>Ausschnitt von {0}</translation>
    </message>
    <message>
      <source>paused</source>
      <translation>angehalten</translation>
    </message>
    <message>
      <source>photo.jpg.xmp: as digiKam and darktable. photo.xmp: as Lightroom, where one photo alone has that name.</source>
      <translation>photo.jpg.xmp: wie digiKam und darktable. photo.xmp: wie Lightroom, wenn nur ein Foto diesen Namen hat.</translation>
    </message>
    <message>
      <source>photos viewed</source>
      <translation>angesehene Fotos</translation>
    </message>
    <message>
      <source>pixels</source>
      <translation>Pixel</translation>
    </message>
    <message>
      <source>quick</source>
      <translation>schnell</translation>
    </message>
    <message>
      <source>rank adjustment</source>
      <translation>Rangkorrektur</translation>
    </message>
    <message>
      <source>rank {0}, distance {1:.3f}</source>
      <translation>Rang {0}, Abstand {1:.3f}</translation>
    </message>
    <message>
      <source>ranked by {0}</source>
      <translation>geordnet nach {0}</translation>
    </message>
    <message>
      <source>ranked by {0} and your judgement</source>
      <translation>geordnet nach {0} und Ihrem Urteil</translation>
    </message>
    <message>
      <source>ranked by {0} and your {1} judgements</source>
      <translation>geordnet nach {0} und Ihren {1} Urteilen</translation>
    </message>
    <message>
      <source>rating or label</source>
      <translation>Bewertung oder Farbmarkierung</translation>
    </message>
    <message>
      <source>ratings</source>
      <translation>Bewertungen</translation>
    </message>
    <message>
      <source>read-only</source>
      <translation>schreibgeschützt</translation>
    </message>
    <message>
      <source>ready</source>
      <translation>bereit</translation>
    </message>
    <message>
      <source>rejected</source>
      <translation>verworfen</translation>
    </message>
    <message>
      <source>rejections: {0}</source>
      <translation>Ablehnungen: {0}</translation>
    </message>
    <message>
      <source>ridge: a regression on all tagged photos. votes: the nearest tagged photos under the metric in use, nearer ones count more. votes-by-rank: the five nearest, weighted by rank.</source>
      <translation>ridge: Regression über alle verschlagworteten Fotos. votes: die nächsten verschlagworteten Fotos nach der verwendeten Metrik, nähere zählen mehr. votes-by-rank: die fünf nächsten, nach Rang gewichtet.</translation>
    </message>
    <message>
      <source>right among the first {0}</source>
      <translation>richtig unter den ersten {0}</translation>
    </message>
    <message>
      <source>right, %</source>
      <translation>richtig, %</translation>
    </message>
    <message>
      <source>rose by {0}</source>
      <translation>um {0} gestiegen</translation>
    </message>
    <message>
      <source>saved searches: {0}</source>
      <translation>gespeicherte Suchen: {0}</translation>
    </message>
    <message>
      <source>seconds</source>
      <translation>Sekunden</translation>
    </message>
    <message>
      <source>selection: {0}</source>
      <translation>Auswahl: {0}</translation>
    </message>
    <message>
      <source>selects it; double-click or Enter sets it as focal image</source>
      <translation>wählt es aus; Doppelklick oder Enter macht es zum Fokusbild</translation>
    </message>
    <message>
      <source>sets it as focal image</source>
      <translation>macht es zum Fokusbild</translation>
    </message>
    <message>
      <source>shape</source>
      <translation>Form</translation>
    </message>
    <message>
      <source>shared neighbours</source>
      <translation>gemeinsame Nachbarn</translation>
    </message>
    <message>
      <source>similar: works only where photos are ranked: leave it out here</source>
      <translation>similar: wirkt nur, wo Fotos geordnet werden: Lassen Sie es hier weg</translation>
    </message>
    <message>
      <source>skipped before</source>
      <translation>früher ausgelassen</translation>
    </message>
    <message>
      <source>slow</source>
      <translation>langsam</translation>
    </message>
    <message>
      <source>small shapes</source>
      <translation>kleine Formen</translation>
    </message>
    <message>
      <source>tag more photos, with one tag each</source>
      <translation>Verschlagworten Sie mehr Fotos mit je einem Schlagwort</translation>
    </message>
    <message>
      <source>tags</source>
      <translation>Schlagwörter</translation>
    </message>
    <message>
      <source>tags below it: {0}</source>
      <translation>Schlagwörter darunter: {0}</translation>
    </message>
    <message>
      <source>tags that several photos share</source>
      <translation>Schlagwörtern, die mehrere Fotos tragen</translation>
    </message>
    <message>
      <source>tags: {0}</source>
      <translation>Schlagwörter: {0}</translation>
    </message>
    <message>
      <source>texture</source>
      <translation>Textur</translation>
    </message>
    <message>
      <source>the file is missing. Missing photos (File menu) searches for missing files.</source>
      <translation>die Datei fehlt. „Fehlende Fotos“ (Menü Datei) sucht fehlende Dateien.</translation>
    </message>
    <message>
      <source>the image is not in the library</source>
      <translation>das Bild ist nicht in der Bibliothek</translation>
    </message>
    <message>
      <source>the same content</source>
      <translation>derselbe Inhalt</translation>
    </message>
    <message>
      <source>the same name; it may have been changed</source>
      <translation>derselbe Name; das Foto wurde vielleicht geändert</translation>
    </message>
    <message>
      <source>the whole library</source>
      <translation>ganze Bibliothek</translation>
    </message>
    <message>
      <source>thorough</source>
      <translation>gründlich</translation>
    </message>
    <message>
      <source>too few boxes, tags and judgements show whether it improves them</source>
      <translation>zu wenige Rahmen, Schlagwörter und Urteile zeigen, ob sie sie verbessert</translation>
    </message>
    <message>
      <source>too little data to measure improvement (n = {0}).</source>
      <translation>zu wenige Daten, um eine Verbesserung zu messen (n = {0}).</translation>
    </message>
    <message>
      <source>uncropped, justified rows</source>
      <translation>unbeschnitten, im Blocksatz</translation>
    </message>
    <message>
      <source>undone</source>
      <translation>rückgängig gemacht</translation>
    </message>
    <message>
      <source>update Focal</source>
      <translation>Aktualisieren Sie Focal</translation>
    </message>
    <message>
      <source>weak matches below</source>
      <translation>schwache Treffer darunter</translation>
    </message>
    <message>
      <source>your judgements</source>
      <translation>Ihre Urteile</translation>
    </message>
    <message>
      <source>{0!r} cannot be a network's name: use up to 64 of a-z, 0-9 and _, beginning with a letter.</source>
      <translation>{0!r} kann kein Name eines Netzes sein: Verwenden Sie bis zu 64 Zeichen aus a–z, 0–9 und _, am Anfang einen Buchstaben.</translation>
    </message>
    <message>
      <source>{0!r} is none of {1}.</source>
      <translation>{0!r} ist keines von {1}.</translation>
    </message>
    <message>
      <source>{0!r} is not a parameter: write NAME=VALUE, such as euclidean_blend=0.5.</source>
      <translation>{0!r} ist kein Parameter: Schreiben Sie NAME=WERT, zum Beispiel euclidean_blend=0.5.</translation>
    </message>
    <message>
      <source>{0!r} of the network is no array of floating point numbers</source>
      <translation>{0!r} des Netzes ist kein Array aus Gleitkommazahlen</translation>
    </message>
    <message>
      <source>{0:,} files are affected in total.</source>
      <translation>Insgesamt sind {0:,} Dateien betroffen.</translation>
    </message>
    <message>
      <source>{0:,} photos</source>
      <translation>{0:,} Fotos</translation>
    </message>
    <message>
      <source>{0:.0f} min</source>
      <translation>{0:.0f} min</translation>
    </message>
    <message>
      <source>{0:.0f} ms a photo, {1} values, run by {2} ({3} tried).</source>
      <translation>{0:.0f} ms je Foto, {1} Werte, ausgeführt von {2} ({3} getestet).</translation>
    </message>
    <message>
      <source>{0:.0f} s</source>
      <translation>{0:.0f} s</translation>
    </message>
    <message>
      <source>{0:.1f} h</source>
      <translation>{0:.1f} h</translation>
    </message>
    <message>
      <source>{0:.2f}, with a probability of 95 % between {1:.2f} and {2:.2f}</source>
      <translation>{0:.2f}, mit einer Wahrscheinlichkeit von 95 % zwischen {1:.2f} und {2:.2f}</translation>
    </message>
    <message>
      <source>{0:g} (default)</source>
      <translation>{0:g} (Vorgabe)</translation>
    </message>
    <message>
      <source>{0}
Offline. {1}</source>
      <translation>{0}
Nicht erreichbar. {1}</translation>
    </message>
    <message>
      <source>{0} (Enter)</source>
      <translation>{0} (Enter)</translation>
    </message>
    <message>
      <source>{0} (Settings, Plug-ins)</source>
      <translation>{0} (Einstellungen, Erweiterungen)</translation>
    </message>
    <message>
      <source>{0} (X)</source>
      <translation>{0} (X)</translation>
    </message>
    <message>
      <source>{0} (not similar)</source>
      <translation>{0} (unähnlich)</translation>
    </message>
    <message>
      <source>{0} (on the command line: {1})</source>
      <translation>{0} (auf der Befehlszeile: {1})</translation>
    </message>
    <message>
      <source>{0} (similar)</source>
      <translation>{0} (ähnlich)</translation>
    </message>
    <message>
      <source>{0} (suspended; kill -CONT {1} continues it)</source>
      <translation>{0} (angehalten; kill -CONT {1} setzt es fort)</translation>
    </message>
    <message>
      <source>{0} DICOM files were skipped because they need pydicom. Run {1} in Focal's checkout.</source>
      <translation>{0} DICOM-Dateien wurden übersprungen, weil sie pydicom brauchen. Führen Sie {1} in Focals Quelltextordner aus.</translation>
    </message>
    <message>
      <source>{0} Did you mean {1}?</source>
      <translation>{0} Meinten Sie {1}?</translation>
    </message>
    <message>
      <source>{0} Focal tries it again at the next backup.</source>
      <translation>{0} Focal versucht es bei der nächsten Sicherung noch einmal.</translation>
    </message>
    <message>
      <source>{0} Focal tries it again at the next indexing.</source>
      <translation>{0} Focal versucht es beim nächsten Einlesen noch einmal.</translation>
    </message>
    <message>
      <source>{0} Its photos are unchanged.</source>
      <translation>{0} Seine Fotos sind unverändert.</translation>
    </message>
    <message>
      <source>{0} Name the folder that contains them now.</source>
      <translation>{0} Wählen Sie den Ordner, in dem sie jetzt sind.</translation>
    </message>
    <message>
      <source>{0} The backup itself is in {1}.</source>
      <translation>{0} Die Sicherung selbst ist in {1}.</translation>
    </message>
    <message>
      <source>{0} The metric in use was trained on these photos and takes too long to be trained without them, so it looks better here than it is.</source>
      <translation>{0} Die verwendete Metrik wurde mit diesen Fotos trainiert, und ein Training ohne sie dauert zu lange; sie sieht hier deshalb besser aus, als sie ist.</translation>
    </message>
    <message>
      <source>{0} already had the tag.</source>
      <translation>Schon vorher verschlagwortet: {0}.</translation>
    </message>
    <message>
      <source>{0} and {1}</source>
      <translation>{0} und {1}</translation>
    </message>
    <message>
      <source>{0} and {1} more</source>
      <translation>{0} und {1} weitere</translation>
    </message>
    <message>
      <source>{0} and {1}, a folder of the library, overlap: one contains the other.</source>
      <translation>{0} und {1}, ein Ordner der Bibliothek, überschneiden sich: Einer enthält den anderen.</translation>
    </message>
    <message>
      <source>{0} answers to an audit of {1}, drawn at random for {2} tags</source>
      <translation>{0} Antworten einer Prüfung vom {1}, zufällig gezogen für {2} Schlagwörter</translation>
    </message>
    <message>
      <source>{0} are not supported: save the image as JPEG or PNG.</source>
      <translation>{0} werden nicht unterstützt: Speichern Sie das Bild als JPEG oder PNG.</translation>
    </message>
    <message>
      <source>{0} boxes</source>
      <translation>{0} Rahmen</translation>
    </message>
    <message>
      <source>{0} cannot be created: {1}.</source>
      <translation>{0} kann nicht angelegt werden: {1}.</translation>
    </message>
    <message>
      <source>{0} cannot be decoded: {1}</source>
      <translation>{0} kann nicht dekodiert werden: {1}</translation>
    </message>
    <message>
      <source>{0} cannot be described as the lens {1} requires ({2}): nothing was imported.</source>
      <translation>{0} lässt sich nicht so beschreiben, wie es der Blickwinkel {1} verlangt ({2}): Es wurde nichts importiert.</translation>
    </message>
    <message>
      <source>{0} cannot be read ({1}): choose another folder.</source>
      <translation>{0} lässt sich nicht lesen ({1}): Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
      <source>{0} cannot be read in line {1}: its kind {2!r} is unknown.</source>
      <translation>{0} kann in Zeile {1} nicht gelesen werden: Die Art {2!r} ist unbekannt.</translation>
    </message>
    <message>
      <source>{0} cannot be read in line {1}: {2}.</source>
      <translation>{0} kann in Zeile {1} nicht gelesen werden: {2}.</translation>
    </message>
    <message>
      <source>{0} cannot be read: {1}</source>
      <translation>{0} lässt sich nicht lesen: {1}</translation>
    </message>
    <message>
      <source>{0} cannot be read: {1}.</source>
      <translation>{0} kann nicht gelesen werden: {1}.</translation>
    </message>
    <message>
      <source>{0} cannot be read: {1}. Nothing was imported.</source>
      <translation>{0} kann nicht gelesen werden: {1}. Es wurde nichts importiert.</translation>
    </message>
    <message>
      <source>{0} cannot be recognised: {1}</source>
      <translation>{0} kann nicht erkannt werden: {1}</translation>
    </message>
    <message>
      <source>{0} cannot be shown: {1}</source>
      <translation>{0} kann nicht gezeigt werden: {1}</translation>
    </message>
    <message>
      <source>{0} cannot be trained with {1}: {2}</source>
      <translation>{0} kann mit {1} nicht trainiert werden: {2}</translation>
    </message>
    <message>
      <source>{0} cannot be trained: {1}</source>
      <translation>{0} kann nicht trainiert werden: {1}</translation>
    </message>
    <message>
      <source>{0} cannot be unpacked: {1}.</source>
      <translation>{0} kann nicht entpackt werden: {1}.</translation>
    </message>
    <message>
      <source>{0} cannot be used as focal image: {1}</source>
      <translation>{0} kann kein Fokusbild sein: {1}</translation>
    </message>
    <message>
      <source>{0} cannot be used: it is no preprocessor_config.json of an image network.</source>
      <translation>{0} kann nicht verwendet werden: Das ist keine preprocessor_config.json eines Netzes für Bilder.</translation>
    </message>
    <message>
      <source>{0} cannot be used: it is no tokenizer.json.</source>
      <translation>{0} kann nicht verwendet werden: Das ist keine tokenizer.json.</translation>
    </message>
    <message>
      <source>{0} cannot be used: {1}</source>
      <translation>{0} kann nicht verwendet werden: {1}</translation>
    </message>
    <message>
      <source>{0} cannot be used: {1}.</source>
      <translation>{0} kann nicht verwendet werden: {1}.</translation>
    </message>
    <message>
      <source>{0} cannot be written ({1}).</source>
      <translation>{0} kann nicht geschrieben werden ({1}).</translation>
    </message>
    <message>
      <source>{0} cannot be written for photos: choose another format.</source>
      <translation>{0} kann nicht für Fotos geschrieben werden: Wählen Sie ein anderes Format.</translation>
    </message>
    <message>
      <source>{0} cannot be written: {1}.</source>
      <translation>{0} kann nicht geschrieben werden: {1}.</translation>
    </message>
    <message>
      <source>{0} cannot be written: {1}. Choose an existing folder.</source>
      <translation>{0} kann nicht geschrieben werden: {1}. Wählen Sie einen vorhandenen Ordner.</translation>
    </message>
    <message>
      <source>{0} cannot be written: {1}. Choose another place, or change its permissions.</source>
      <translation>{0} kann nicht geschrieben werden: {1}. Wählen Sie einen anderen Ort, oder ändern Sie die Zugriffsrechte.</translation>
    </message>
    <message>
      <source>{0} cannot be written: {1}. Free some space, or choose another place.</source>
      <translation>{0} kann nicht geschrieben werden: {1}. Schaffen Sie Platz, oder wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
      <source>{0} cannot contain judgements: choose another format.</source>
      <translation>{0} kann keine Urteile enthalten: Wählen Sie ein anderes Format.</translation>
    </message>
    <message>
      <source>{0} changed</source>
      <translation>{0} geändert</translation>
    </message>
    <message>
      <source>{0} compares photos in pairs and has no coordinates, so other programs cannot use it: share it as a lens, or train another learner.</source>
      <translation>{0} vergleicht Fotos paarweise und hat keine Koordinaten, deshalb können andere Programme damit nichts anfangen: Geben Sie es als Blickwinkel weiter, oder trainieren Sie ein anderes Lernverfahren.</translation>
    </message>
    <message>
      <source>{0} contains the library or is in it: choose another folder.</source>
      <translation>{0} enthält die Bibliothek oder liegt in ihr: Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
      <source>{0} could not be opened.</source>
      <translation>{0} ließ sich nicht öffnen.</translation>
    </message>
    <message>
      <source>{0} could not be shown.</source>
      <translation>{0} ließ sich nicht zeigen.</translation>
    </message>
    <message>
      <source>{0} could not be written: {1}.</source>
      <translation>{0} konnte nicht geschrieben werden: {1}.</translation>
    </message>
    <message>
      <source>{0} done</source>
      <translation>{0} erledigt</translation>
    </message>
    <message>
      <source>{0} duplicates stacked</source>
      <translation>{0} Duplikate gestapelt</translation>
    </message>
    <message>
      <source>{0} exists already: choose a new or an empty folder for the library.</source>
      <translation>{0} gibt es schon: Wählen Sie einen neuen oder leeren Ordner für die Bibliothek.</translation>
    </message>
    <message>
      <source>{0} exists already: choose a new or an empty folder.</source>
      <translation>{0} gibt es schon: Wählen Sie einen neuen oder leeren Ordner.</translation>
    </message>
    <message>
      <source>{0} exists already: name a new or an empty folder.</source>
      <translation>{0} gibt es schon: Wählen Sie einen neuen oder leeren Ordner.</translation>
    </message>
    <message>
      <source>{0} exists and looks like another kind of file: --force replaces it.</source>
      <translation>{0} gibt es schon und scheint eine Datei anderer Art zu sein: Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
      <source>{0} failed: {1}</source>
      <translation>{0} ist fehlgeschlagen: {1}</translation>
    </message>
    <message>
      <source>{0} files are not supported: save the image as JPEG or PNG.</source>
      <translation>Dateien der Art {0} werden nicht unterstützt: Speichern Sie das Bild als JPEG oder PNG.</translation>
    </message>
    <message>
      <source>{0} focal restore --undo restores the previous catalogue.</source>
      <translation>{0} focal restore --undo stellt den vorigen Katalog wieder her.</translation>
    </message>
    <message>
      <source>{0} folders polled</source>
      <translation>{0} Ordner werden regelmäßig durchsucht</translation>
    </message>
    <message>
      <source>{0} for {1}, {2} % sure, like {3}</source>
      <translation>{0} für {1}, {2} % sicher, wie {3}</translation>
    </message>
    <message>
      <source>{0} has neither lists {1}/&lt;class&gt;_&lt;set&gt;.txt nor objects {2}/&lt;photo&gt;.xml: name the folder that holds ImageSets.</source>
      <translation>{0} enthält weder Listen {1}/&lt;class&gt;_&lt;set&gt;.txt noch Objekte {2}/&lt;photo&gt;.xml: Wählen Sie den Ordner, der ImageSets enthält.</translation>
    </message>
    <message>
      <source>{0} has neither metadata.jsonl nor metadata.csv: name the folder that holds one.</source>
      <translation>{0} enthält weder metadata.jsonl noch metadata.csv: Wählen Sie den Ordner, der eine davon enthält.</translation>
    </message>
    <message>
      <source>{0} has no column {1}: its first line must name the columns.</source>
      <translation>{0} hat keine Spalte {1}: Die erste Zeile muss die Spalten nennen.</translation>
    </message>
    <message>
      <source>{0} has no edge on which to place a patch: it has no local distance.</source>
      <translation>{0} hat keine Kante, auf der ein Ausschnitt liegen könnte: Es hat keinen lokalen Abstand.</translation>
    </message>
    <message>
      <source>{0} has no folder {1} with text files: name the folder that holds it.</source>
      <translation>{0} hat keinen Ordner {1} mit Textdateien: geben Sie den Ordner an, der ihn enthält.</translation>
    </message>
    <message>
      <source>{0} has no folders with photos: name the folder above those of the classes.</source>
      <translation>{0} enthält keine Ordner mit Fotos: Wählen Sie den Ordner über denen der Klassen.</translation>
    </message>
    <message>
      <source>{0} has no {1}: name the folder that holds it.</source>
      <translation>{0} hat keine {1}: geben Sie den Ordner an, der sie enthält.</translation>
    </message>
    <message>
      <source>{0} has {1:,} frames: from 1 to {2:,} can be written.</source>
      <translation>{0} hat {1:,} Einzelbilder: 1 bis {2:,} können geschrieben werden.</translation>
    </message>
    <message>
      <source>{0} has {1}: remove it</source>
      <translation>{0} hat {1}: entfernen</translation>
    </message>
    <message>
      <source>{0} held-out queries in {1} folds, each ranked among the held-out photos of its fold. These contain fewer photos of each kind than the library, so fewer of the first results are right than when you browse.</source>
      <translation>{0} zurückgehaltene Anfragen in {1} Durchgängen, jede geordnet unter den zurückgehaltenen Fotos ihres Durchgangs. Diese enthalten von jeder Art weniger Fotos als die Bibliothek; deshalb sind weniger der ersten Treffer richtig als beim Stöbern.</translation>
    </message>
    <message>
      <source>{0} in {1}.</source>
      <translation>{0} in {1}.</translation>
    </message>
    <message>
      <source>{0} indexed in {2:.0f} s.</source>
      <translation>{0} eingelesen in {2:.0f} s.</translation>
    </message>
    <message>
      <source>{0} indexed, {1} of them new, in {2:.0f} s.</source>
      <translation>{0} eingelesen, davon {1} neu, in {2:.0f} s.</translation>
    </message>
    <message>
      <source>{0} is a file, not a folder: name a folder with photos.</source>
      <translation>{0} ist eine Datei und kein Ordner: Wählen Sie einen Ordner mit Fotos.</translation>
    </message>
    <message>
      <source>{0} is a file: choose a folder for the library.</source>
      <translation>{0} ist eine Datei: Wählen Sie einen Ordner für die Bibliothek.</translation>
    </message>
    <message>
      <source>{0} is a file: name the folder that contains the photos now.</source>
      <translation>{0} ist eine Datei: Wählen Sie den Ordner, in dem die Fotos jetzt sind.</translation>
    </message>
    <message>
      <source>{0} is a link: replace it by its target, then move the library.</source>
      <translation>{0} ist eine Verknüpfung: Ersetzen Sie sie durch ihr Ziel, und verschieben Sie dann die Bibliothek.</translation>
    </message>
    <message>
      <source>{0} is a photo, and Focal never overwrites photos: choose another folder.</source>
      <translation>{0} ist ein Foto, und Focal überschreibt nie Fotos: Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
      <source>{0} is a photo, and Focal never overwrites photos: choose another name.</source>
      <translation>{0} ist ein Foto, und Focal überschreibt nie Fotos: Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
      <source>{0} is already another name of {1}: remove it there first.</source>
      <translation>{0} ist schon ein Synonym von {1}: Entfernen Sie es zuerst dort.</translation>
    </message>
    <message>
      <source>{0} is another name of {1}: remove it there first, or choose another name.</source>
      <translation>{0} ist ein Synonym von {1}: Entfernen Sie es zuerst dort, oder wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
      <source>{0} is available again.</source>
      <translation>{0} ist wieder verfügbar.</translation>
    </message>
    <message>
      <source>{0} is below {1}: a tag cannot be moved into itself.</source>
      <translation>{0} liegt unter {1}: Ein Schlagwort lässt sich nicht in sich selbst verschieben.</translation>
    </message>
    <message>
      <source>{0} is closer than {1} by {2:.3f}</source>
      <translation>{0} ist um {2:.3f} näher als {1}</translation>
    </message>
    <message>
      <source>{0} is copied to {1} and compared; then the original is deleted.</source>
      <translation>{0} wird nach {1} kopiert und verglichen; dann wird das Original gelöscht.</translation>
    </message>
    <message>
      <source>{0} is in the library itself: choose another folder.</source>
      <translation>{0} liegt in der Bibliothek selbst: Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
      <source>{0} is in {1}, whose photos Focal shows: choose a folder elsewhere.</source>
      <translation>{0} liegt in {1}, dessen Fotos Focal zeigt: Wählen Sie einen Ordner anderswo.</translation>
    </message>
    <message>
      <source>{0} is itself a tag: merge it into {1}, or choose another name.</source>
      <translation>{0} ist selbst ein Schlagwort: Führen Sie es mit {1} zusammen, oder wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
      <source>{0} is missing: connect its drive, or choose another photo.</source>
      <translation>{0} fehlt: Schließen Sie das Laufwerk an, oder wählen Sie ein anderes Foto.</translation>
    </message>
    <message>
      <source>{0} is nearer than {1}.</source>
      <translation>{0} ist näher als {1}.</translation>
    </message>
    <message>
      <source>{0} is no file: name an archive.</source>
      <translation>{0} ist keine Datei: Wählen Sie ein Archiv.</translation>
    </message>
    <message>
      <source>{0} is no folder: name the folder of the data set.</source>
      <translation>{0} ist kein Ordner: Wählen Sie den Ordner des Datensatzes.</translation>
    </message>
    <message>
      <source>{0} is no longer in the library. Its photos are unchanged; add the folder again to get everything back.</source>
      <translation>{0} ist nicht mehr in der Bibliothek. Die Fotos sind unverändert; fügen Sie den Ordner wieder hinzu, um alles zurückzubekommen.</translation>
    </message>
    <message>
      <source>{0} is no table: line {1} has more than {2:,} characters.</source>
      <translation>{0} ist keine Tabelle: Zeile {1} hat mehr als {2:,} Zeichen.</translation>
    </message>
    <message>
      <source>{0} is not a catalogue of Focal: choose another folder for the library.</source>
      <translation>{0} ist kein Katalog von Focal: Wählen Sie einen anderen Ordner für die Bibliothek.</translation>
    </message>
    <message>
      <source>{0} is not a file: choose another name for the archive.</source>
      <translation>{0} ist keine Datei: Wählen Sie einen anderen Namen für das Archiv.</translation>
    </message>
    <message>
      <source>{0} is not a folder: choose one that exists.</source>
      <translation>{0} ist kein Ordner: Wählen Sie einen vorhandenen.</translation>
    </message>
    <message>
      <source>{0} is not a lens: choose a file written by focal lens export.</source>
      <translation>{0} ist kein Blickwinkel: Wählen Sie eine Datei, die Focal als Blickwinkel geschrieben hat.</translation>
    </message>
    <message>
      <source>{0} is not a regular file: name a photo.</source>
      <translation>{0} ist keine gewöhnliche Datei: Wählen Sie ein Foto.</translation>
    </message>
    <message>
      <source>{0} is not a table in CSV: a row has more than {1:,} characters; is a quotation mark never closed?</source>
      <translation>{0} ist keine CSV-Tabelle: Eine Zeile hat mehr als {1:,} Zeichen; vielleicht fehlt ein schließendes Anführungszeichen.</translation>
    </message>
    <message>
      <source>{0} is not a table in CSV: {1}.</source>
      <translation>{0} ist keine CSV-Tabelle: {1}.</translation>
    </message>
    <message>
      <source>{0} is not a table of photos: choose another format.</source>
      <translation>{0} ist keine Tabelle von Fotos: Wählen Sie ein anderes Format.</translation>
    </message>
    <message>
      <source>{0} is not an archive of a library: choose a file written by focal archive.</source>
      <translation>{0} ist kein Archiv einer Bibliothek: Wählen Sie eine Datei, die Focal als Archiv gespeichert hat.</translation>
    </message>
    <message>
      <source>{0} is not an archive, or its end is missing ({1}).</source>
      <translation>{0} ist kein Archiv, oder sein Ende fehlt ({1}).</translation>
    </message>
    <message>
      <source>{0} is not described for searches by a region: run focal index, or name its part by --other-box.</source>
      <translation>{0} ist nicht für die Suche mit einem Ausschnitt beschrieben: Führen Sie focal index aus, oder nennen Sie den Ausschnitt mit --other-box.</translation>
    </message>
    <message>
      <source>{0} is not empty: choose or create an empty folder for the new library.</source>
      <translation>{0} ist nicht leer: Wählen Sie für eine neue Bibliothek einen leeren Ordner, oder legen Sie einen an.</translation>
    </message>
    <message>
      <source>{0} is not in a folder of the library: name one of these folders or a folder in one: {1}.</source>
      <translation>{0} ist in keinem Ordner der Bibliothek: Wählen Sie einen dieser Ordner oder einen Ordner darin: {1}.</translation>
    </message>
    <message>
      <source>{0} is not in the library: index its folder first.</source>
      <translation>{0} ist nicht in der Bibliothek: Nehmen Sie zuerst seinen Ordner auf.</translation>
    </message>
    <message>
      <source>{0} is not in the library: run focal index on its folder first.</source>
      <translation>{0} ist nicht in der Bibliothek: Führen Sie zuerst focal index mit seinem Ordner aus.</translation>
    </message>
    <message>
      <source>{0} is not in the library: there is nothing to remove.</source>
      <translation>{0} ist nicht in der Bibliothek: Es gibt nichts herauszunehmen.</translation>
    </message>
    <message>
      <source>{0} is not there.</source>
      <translation>{0} ist nicht vorhanden.</translation>
    </message>
    <message>
      <source>{0} is not there: connect its drive, or name the folder that contains the photos now.</source>
      <translation>{0} ist nicht vorhanden: Schließen Sie das Laufwerk an, oder wählen Sie den Ordner, in dem die Fotos jetzt sind.</translation>
    </message>
    <message>
      <source>{0} is not there: name a folder with photos.</source>
      <translation>{0} ist nicht vorhanden: Wählen Sie einen Ordner mit Fotos.</translation>
    </message>
    <message>
      <source>{0} is not there: name an archive.</source>
      <translation>{0} ist nicht vorhanden: Wählen Sie ein Archiv.</translation>
    </message>
    <message>
      <source>{0} is now in use. Undo goes back.</source>
      <translation>{0} wird jetzt verwendet. „Rückgängig“ nimmt das zurück.</translation>
    </message>
    <message>
      <source>{0} is part of Focal's source code, which this window does not show.</source>
      <translation>{0} liegt im Quelltext von Focal, den dieses Fenster nicht zeigt.</translation>
    </message>
    <message>
      <source>{0} is part of {1}: only that whole folder can be removed.</source>
      <translation>{0} ist ein Teil von {1}: Nur dieser ganze Ordner lässt sich aus der Bibliothek nehmen.</translation>
    </message>
    <message>
      <source>{0} is ready; it does not learn from judgements or tags.</source>
      <translation>{0} ist bereit; es lernt nicht aus Urteilen oder Schlagwörtern.</translation>
    </message>
    <message>
      <source>{0} is switched on, but not installed or not working.</source>
      <translation>{0} ist eingeschaltet, aber nicht installiert oder fehlerhaft.</translation>
    </message>
    <message>
      <source>{0} is tagged {1}. It looks like {2} (probably wrong: {3} %).</source>
      <translation>{0} hat das Schlagwort {1}, sieht aber nach {2} aus (zu {3} % falsch).</translation>
    </message>
    <message>
      <source>{0} is tagged {1}. Similar photos are not (probably wrong: {2} %).</source>
      <translation>{0} hat das Schlagwort {1}, ähnliche Fotos haben es nicht (zu {2} % falsch).</translation>
    </message>
    <message>
      <source>{0} is the old location of the folder: name its new location.</source>
      <translation>{0} ist der frühere Ort des Ordners: Nennen Sie den Ort, an dem er jetzt ist.</translation>
    </message>
    <message>
      <source>{0} is {1}. Press Set again to use it here instead.</source>
      <translation>{0} ist „{1}“. Klicken Sie noch einmal auf „Festlegen“, um die Taste stattdessen hier zu verwenden.</translation>
    </message>
    <message>
      <source>{0} judged not similar</source>
      <translation>{0} als unähnlich beurteilt</translation>
    </message>
    <message>
      <source>{0} judged similar</source>
      <translation>{0} als ähnlich beurteilt</translation>
    </message>
    <message>
      <source>{0} judgements</source>
      <translation>{0} Urteile</translation>
    </message>
    <message>
      <source>{0} left</source>
      <translation>noch {0}</translation>
    </message>
    <message>
      <source>{0} lies in {1}, which is in the library already: look for changes there (focal index, or F5), and photos that were moved are found by their content. Then take {2} out.</source>
      <translation>{0} liegt in {1}, das schon in der Bibliothek ist: Lesen Sie diesen Ordner neu ein (F5); verschobene Fotos werden an ihrem Inhalt erkannt. Nehmen Sie danach {2} aus der Bibliothek.</translation>
    </message>
    <message>
      <source>{0} more</source>
      <translation>{0} weitere</translation>
    </message>
    <message>
      <source>{0} names no photos.</source>
      <translation>{0} nennt keine Fotos.</translation>
    </message>
    <message>
      <source>{0} needs a term after it: put it in quotes to search for the word itself</source>
      <translation>Nach {0} fehlt ein Begriff: Setzen Sie es in Anführungszeichen, um danach zu suchen</translation>
    </message>
    <message>
      <source>{0} needs a term before it: put it in quotes to search for the word itself</source>
      <translation>Vor {0} fehlt ein Begriff: Setzen Sie es in Anführungszeichen, um danach zu suchen</translation>
    </message>
    <message>
      <source>{0} no longer exists: search again.</source>
      <translation>{0} gibt es nicht mehr: Suchen Sie noch einmal.</translation>
    </message>
    <message>
      <source>{0} of the map</source>
      <translation>{0} der Karte</translation>
    </message>
    <message>
      <source>{0} of the {1} new photos in {2} are unlike anything you have tagged.</source>
      <translation>{0} der {1} neuen Fotos in {2} gleichen nichts, was Sie verschlagwortet haben.</translation>
    </message>
    <message>
      <source>{0} of them are also in the old folder. They stay there but are no longer shown.</source>
      <translation>{0} davon sind auch im alten Ordner. Sie bleiben dort, werden aber nicht mehr gezeigt.</translation>
    </message>
    <message>
      <source>{0} of them have tags, judgements or ratings, which will no longer be shown.</source>
      <translation>{0} davon haben Schlagwörter, Urteile oder Bewertungen, die dann nicht mehr gezeigt werden.</translation>
    </message>
    <message>
      <source>{0} of {1}</source>
      <translation>{0} von {1}</translation>
    </message>
    <message>
      <source>{0} of {1} boxes left</source>
      <translation>noch {0} von {1} Rahmen</translation>
    </message>
    <message>
      <source>{0} of {1} files could not be moved to the trash, the first is {2}.</source>
      <translation>{0} von {1} Dateien ließen sich nicht in den Papierkorb legen, die erste ist {2}.</translation>
    </message>
    <message>
      <source>{0} of {1} left</source>
      <translation>Noch {0} von {1}</translation>
    </message>
    <message>
      <source>{0} of {1} on</source>
      <translation>{0} von {1} ein</translation>
    </message>
    <message>
      <source>{0} of {1} photos are yes</source>
      <translation>{0} von {1} Fotos: ja</translation>
    </message>
    <message>
      <source>{0} of {1} photos differ from their sidecars</source>
      <translation>{0} von {1} Fotos unterscheiden sich von ihren Begleitdateien</translation>
    </message>
    <message>
      <source>{0} of {1} photos have this tag: click to add it to all</source>
      <translation>{0} von {1} Fotos haben es: Ein Klick fügt es allen hinzu</translation>
    </message>
    <message>
      <source>{0} of {1} photos were found; the contents of {2} were compared.</source>
      <translation>{0} von {1} Fotos wurden gefunden; der Inhalt von {2} wurde verglichen.</translation>
    </message>
    <message>
      <source>{0} of {1} selected photos</source>
      <translation>{0} von {1} ausgewählten Fotos</translation>
    </message>
    <message>
      <source>{0} or more</source>
      <translation>{0} oder mehr</translation>
    </message>
    <message>
      <source>{0} patches: {1:.0f} % of the similarity</source>
      <translation>{0} Ausschnitte: {1:.0f} % der Ähnlichkeit</translation>
    </message>
    <message>
      <source>{0} photos</source>
      <translation>{0} Fotos</translation>
    </message>
    <message>
      <source>{0} photos are called {1}: write the folder before it</source>
      <translation>{0} Fotos heißen {1}: Schreiben Sie den Ordner davor</translation>
    </message>
    <message>
      <source>{0} photos are in the new library. Open it with: focal --library {1}</source>
      <translation>{0} Fotos sind in der neuen Bibliothek. Öffnen Sie sie mit: focal --library {1}</translation>
    </message>
    <message>
      <source>{0} photos for each tag</source>
      <translation>{0} Fotos für jedes Schlagwort</translation>
    </message>
    <message>
      <source>{0} photos in {1} s</source>
      <translation>{0} Fotos in {1} s</translation>
    </message>
    <message>
      <source>{0} photos lack</source>
      <translation>die {0} Fotos fehlt</translation>
    </message>
    <message>
      <source>{0} photos moved: the numbers show how far. Continue, or double-click another photo.</source>
      <translation>{0} Fotos sind gewandert: Die Zahlen zeigen, wie weit. Machen Sie weiter, oder doppelklicken Sie auf ein anderes Foto.</translation>
    </message>
    <message>
      <source>{0} photos, {1} tags and {2} judgements were saved in {3}.</source>
      <translation>{0} Fotos, {1} Schlagwörter und {2} Urteile wurden in {3} gespeichert.</translation>
    </message>
    <message>
      <source>{0} photos: {1}</source>
      <translation>{0} Fotos: {1}</translation>
    </message>
    <message>
      <source>{0} photos: {1}. Ranges contain the true value with a probability of 95 %.</source>
      <translation>{0} Fotos: {1}. Die Bereiche enthalten den wahren Wert mit einer Wahrscheinlichkeit von 95 %.</translation>
    </message>
    <message>
      <source>{0} problems…</source>
      <translation>{0} Probleme…</translation>
    </message>
    <message>
      <source>{0} selected</source>
      <translation>{0} ausgewählt</translation>
    </message>
    <message>
      <source>{0} shown</source>
      <translation>{0} gezeigt</translation>
    </message>
    <message>
      <source>{0} stays on: rankings need a descriptor of the whole photo, and this is the last one.</source>
      <translation>{0} bleibt eingeschaltet: Rangfolgen brauchen einen Deskriptor des ganzen Fotos, und dieser ist der letzte.</translation>
    </message>
    <message>
      <source>{0} suggestions</source>
      <translation>{0} Vorschläge</translation>
    </message>
    <message>
      <source>{0} tagged with {1}.</source>
      <translation>{0} mit {1} verschlagwortet.</translation>
    </message>
    <message>
      <source>{0} tags</source>
      <translation>{0} Schlagwörter</translation>
    </message>
    <message>
      <source>{0} to {1} of {2} photos for this tag, {3} left in total</source>
      <translation>{0} bis {1} von {2} Fotos dieses Schlagworts, insgesamt noch {3}</translation>
    </message>
    <message>
      <source>{0} trains in seconds on this computer: a cluster is only for automatic and {1}.</source>
      <translation>{0} trainiert auf diesem Computer in Sekunden: Ein Cluster ist nur für automatic und {1} da.</translation>
    </message>
    <message>
      <source>{0} under two metrics; {1} of the first {2} are the same. On the right, arrows show how many places a photo is before or behind its place on the left.</source>
      <translation>{0} nach zwei Metriken; {1} der ersten {2} sind dieselben. Rechts zeigen die Pfeile, um wie viele Plätze ein Foto vor oder hinter seinem Platz links steht.</translation>
    </message>
    <message>
      <source>{0} unpacks to {1} bytes, and only {2} are free: free some space.</source>
      <translation>{0} braucht entpackt {1} Byte, und nur {2} sind frei: Schaffen Sie Platz.</translation>
    </message>
    <message>
      <source>{0} unsaved changes</source>
      <translation>{0} ungespeicherte Änderungen</translation>
    </message>
    <message>
      <source>{0} values</source>
      <translation>{0} Werte</translation>
    </message>
    <message>
      <source>{0} versions</source>
      <translation>{0} Fassungen</translation>
    </message>
    <message>
      <source>{0} was imported with all data about its photos.</source>
      <translation>{0} wurde mit allen Daten zu seinen Fotos importiert.</translation>
    </message>
    <message>
      <source>{0} was judged not similar to {1}. Your other judgements say it is ({2} %).</source>
      <translation>{0} wurde als nicht ähnlich zu {1} beurteilt; Ihre anderen Urteile widersprechen dem ({2} %).</translation>
    </message>
    <message>
      <source>{0} was judged similar to {1}. Your other judgements say it is not ({2} %).</source>
      <translation>{0} wurde als ähnlich zu {1} beurteilt; Ihre anderen Urteile widersprechen dem ({2} %).</translation>
    </message>
    <message>
      <source>{0} was learned from {1}, which can no longer be computed for other images: train again (focal train --learner {2}), and share the new metric.</source>
      <translation>{0} wurde aus {1} gelernt, einer Beschreibung, die sich für andere Bilder nicht mehr berechnen lässt: Trainieren Sie neu (focal train --learner {2}), und geben Sie die neue Metrik weiter.</translation>
    </message>
    <message>
      <source>{0} was learned from {1}, which can no longer be computed for other images: train again (focal train --learner {2}), or choose another metric (focal metrics --use NAME).</source>
      <translation>{0} wurde aus {1} gelernt, einer Beschreibung, die sich für andere Bilder nicht mehr berechnen lässt: Trainieren Sie neu (focal train --learner {2}), oder wählen Sie eine andere Metrik (focal metrics --use NAME).</translation>
    </message>
    <message>
      <source>{0} was learned from {1}, which describes photos differently now: train again (focal train --learner {2}), or choose another metric (focal metrics --use NAME).</source>
      <translation>{0} wurde aus {1} gelernt, und diese Beschreibung wird jetzt anders berechnet: Trainieren Sie neu (focal train --learner {2}), oder wählen Sie eine andere Metrik (focal metrics --use NAME).</translation>
    </message>
    <message>
      <source>{0} was learned from {1}, which {2}: switch it on again in the settings (focal descriptors --on {3}), train again (focal train --learner {4}), or choose another metric (focal metrics --use NAME).</source>
      <translation>{0} wurde aus {1} gelernt, einer Beschreibung, {2}: Schalten Sie sie in den Einstellungen wieder ein (focal descriptors --on {3}), trainieren Sie neu (focal train --learner {4}), oder wählen Sie eine andere Metrik (focal metrics --use NAME).</translation>
    </message>
    <message>
      <source>{0} was not decoded yet: wait until it is indexed, or run focal index.</source>
      <translation>{0} wurde noch nicht eingelesen: Warten Sie, bis es so weit ist.</translation>
    </message>
    <message>
      <source>{0} was not found. Its photos are probably in {1} now.</source>
      <translation>{0} wurde nicht gefunden. Seine Fotos sind vermutlich jetzt in {1}.</translation>
    </message>
    <message>
      <source>{0} was not found. Its photos can still be ranked and tagged; connect its drive to open them.</source>
      <translation>{0} wurde nicht gefunden. Seine Fotos lassen sich weiter ordnen und verschlagworten; schließen Sie das Laufwerk an, um sie zu öffnen.</translation>
    </message>
    <message>
      <source>{0} was not written by Focal ({1}): nothing was imported. Use an archive written by focal archive.</source>
      <translation>{0} wurde nicht von Focal geschrieben ({1}): Es wurde nichts importiert. Verwenden Sie ein Archiv, das Focal gespeichert hat.</translation>
    </message>
    <message>
      <source>{0} was saved as {1} ({2}). It contains no photos.</source>
      <translation>{0} wurde als {1} gespeichert ({2}). Fotos sind nicht enthalten.</translation>
    </message>
    <message>
      <source>{0} was saved in {1}, with a model card. It contains no photos.</source>
      <translation>{0} wurde in {1} gespeichert, mit einer Modellkarte. Es enthält keine Fotos.</translation>
    </message>
    <message>
      <source>{0} was written by a later version of Focal: update Focal to open it.</source>
      <translation>{0} stammt von einer neueren Version von Focal: Aktualisieren Sie Focal, um es zu öffnen.</translation>
    </message>
    <message>
      <source>{0} was written.</source>
      <translation>{0} wurde geschrieben.</translation>
    </message>
    <message>
      <source>{0} with problems</source>
      <translation>{0} mit Problemen</translation>
    </message>
    <message>
      <source>{0}, a folder of the library, is in {1}.</source>
      <translation>{0}, ein Ordner der Bibliothek, liegt in {1}.</translation>
    </message>
    <message>
      <source>{0}, a folder of the library, is in {1}: name the folder that contains the photos.</source>
      <translation>{0}, ein Ordner der Bibliothek, liegt in {1}: Nennen Sie den Ordner mit den Fotos.</translation>
    </message>
    <message>
      <source>{0}, and none improves on Euclidean, which is used. The best was {1}: {2}</source>
      <translation>{0}, und keines ist besser als der euklidische Abstand: Er wird verwendet. Das beste war „{1}“: {2}</translation>
    </message>
    <message>
      <source>{0}, and none is clearly better than {1}: {2}</source>
      <translation>{0}, und keines ist sicher besser als „{1}“: {2}</translation>
    </message>
    <message>
      <source>{0}, held out: {1} → {2} % ({3}).</source>
      <translation>{0}, zurückgehalten: {1} → {2} % ({3}).</translation>
    </message>
    <message>
      <source>{0}, in use</source>
      <translation>{0}, verwendet</translation>
    </message>
    <message>
      <source>{0}, line {1}: the photo is not in the library.</source>
      <translation>{0}, Zeile {1}: Das Foto ist nicht in der Bibliothek.</translation>
    </message>
    <message>
      <source>{0}, line {1}: {2}</source>
      <translation>{0}, Zeile {1}: {2}</translation>
    </message>
    <message>
      <source>{0}, line {1}: {2} is not an answer: write yes or no.</source>
      <translation>{0}, Zeile {1}: {2} ist keine Antwort: Schreiben Sie yes oder no.</translation>
    </message>
    <message>
      <source>{0}, no new kinds</source>
      <translation>{0}, keine neuen Arten</translation>
    </message>
    <message>
      <source>{0}, since {1}, process {2} on {3}</source>
      <translation>{0}, seit {1}, Prozess {2} auf {3}</translation>
    </message>
    <message>
      <source>{0}, with the focal image</source>
      <translation>{0}, mit dem Fokusbild</translation>
    </message>
    <message>
      <source>{0}, {1} and {2}</source>
      <translation>{0}, {1} und {2}</translation>
    </message>
    <message>
      <source>{0}, {1} examples</source>
      <translation>{0}, {1} Beispiele</translation>
    </message>
    <message>
      <source>{0}, {1}, offline</source>
      <translation>{0}, {1}, nicht erreichbar</translation>
    </message>
    <message>
      <source>{0}.</source>
      <translation>{0}.</translation>
    </message>
    <message>
      <source>{0}/s</source>
      <translation>{0}/s</translation>
    </message>
    <message>
      <source>{0}: added to {1}, removed from {2}.</source>
      <translation>{0}: {1}-mal hinzugefügt, {2}-mal entfernt.</translation>
    </message>
    <message>
      <source>{0}: click to list them</source>
      <translation>{0}: ein Klick listet sie auf</translation>
    </message>
    <message>
      <source>{0}: every {1:.0f} s ({2})</source>
      <translation>{0}: alle {1:.0f} s ({2})</translation>
    </message>
    <message>
      <source>{0}: focal restore --undo restores the previous catalogue.</source>
      <translation>{0}: focal restore --undo stellt den vorigen Katalog wieder her.</translation>
    </message>
    <message>
      <source>{0}: no</source>
      <translation>{0}: nein</translation>
    </message>
    <message>
      <source>{0}: no answer</source>
      <translation>{0}: keine Antwort</translation>
    </message>
    <message>
      <source>{0}: of a similar and a dissimilar photo, the similar one is nearer in {1} → {2} % of cases (difference {3}, 95 % interval {4} to {5}, {6} photos).</source>
      <translation>{0}: Von einem ähnlichen und einem unähnlichen Foto ist in {1} → {2} % der Fälle das ähnliche näher (Unterschied {3}, 95-%-Intervall {4} bis {5}, {6} Fotos).</translation>
    </message>
    <message>
      <source>{0}: right among the first {1}: {2:.0f} %</source>
      <translation>{0}: richtig unter den ersten {1}: {2:.0f} %</translation>
    </message>
    <message>
      <source>{0}: switch to the whole library</source>
      <translation>{0}: zur ganzen Bibliothek wechseln</translation>
    </message>
    <message>
      <source>{0}: switched on, but not installed or not working</source>
      <translation>{0}: eingeschaltet, aber nicht installiert oder fehlerhaft</translation>
    </message>
    <message>
      <source>{0}: the learner of this metric is not installed or does not work</source>
      <translation>{0}: das Lernverfahren dieser Metrik ist nicht installiert oder fehlerhaft</translation>
    </message>
    <message>
      <source>{0}: too few tags and judgements to measure, or this learner takes too long.</source>
      <translation>{0}: zu wenige Schlagwörter und Urteile zum Messen, oder dieses Lernverfahren dauert zu lange.</translation>
    </message>
    <message>
      <source>{0}: waiting</source>
      <translation>{0}: wartet</translation>
    </message>
    <message>
      <source>{0}: yes</source>
      <translation>{0}: ja</translation>
    </message>
    <message>
      <source>{0}: {1}</source>
      <translation>{0}: {1}</translation>
    </message>
    <message>
      <source>{0}: {1} of the given tags right, {2} found, in {3} answers to planted photos.</source>
      <translation>{0}: {1} der vergebenen Schlagwörter richtig, {2} gefunden, in {3} Antworten zu Kontrollfotos.</translation>
    </message>
    <message>
      <source>{0}: {1} of {2} steps were skipped because their photos are no longer in the library.</source>
      <translation>{0}: {1} von {2} Schritten wurden übersprungen, weil ihre Fotos nicht mehr in der Bibliothek sind.</translation>
    </message>
    <message>
      <source>{0}: {1} similar, {2} dissimilar</source>
      <translation>{0}: {1} ähnliche, {2} unähnliche</translation>
    </message>
    <message>
      <source>{0}: {1} similar, {2} dissimilar, {3:.0f} → {4:.0f} % in order</source>
      <translation>{0}: {1} ähnliche, {2} unähnliche, {3:.0f} → {4:.0f} % richtig geordnet</translation>
    </message>
    <message>
      <source>{0}: {1} training photos</source>
      <translation>{0}: {1} Trainingsfotos</translation>
    </message>
    <message>
      <source>{0}: {1}, {2:.0f} % of the similarity</source>
      <translation>{0}: {1}, {2:.0f} % der Ähnlichkeit</translation>
    </message>
    <message>
      <source>{0}: {1}.</source>
      <translation>{0}: {1}.</translation>
    </message>
    <message>
      <source>{0}; right-click to use another key</source>
      <translation>{0}; auf eine andere Taste: Rechtsklick</translation>
    </message>
    <message>
      <source>{0}? Press Enter or a digit, or type another name. Tab skips it.</source>
      <translation>{0}? Drücken Sie Enter oder eine Ziffer, oder tippen Sie einen anderen Namen. Tab überspringt.</translation>
    </message>
    <message>
      <source>{3} more files are copies of them.</source>
      <translation>{3} weitere Dateien sind Kopien davon.</translation>
    </message>
    <message>
      <source>“{0}”</source>
      <translation>„{0}“</translation>
    </message>
    <message>
      <source>“{0}” can no longer be {1}, because its data has changed since. Nothing was changed, and the step was removed from the history.</source>
      <translation>„{0}“ kann nicht mehr {1} werden, weil sich die Daten seither geändert haben. Es wurde nichts geändert, und der Schritt wurde aus dem Verlauf entfernt.</translation>
    </message>
    <message>
      <source>↑ yes: {0}</source>
      <translation>↑ ja: {0}</translation>
    </message>
    <message>
      <source>−1 to 1</source>
      <translation>−1 bis 1</translation>
    </message>
  </context>
</TS>
