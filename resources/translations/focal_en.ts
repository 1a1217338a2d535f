<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
  <context>
    <name>focal</name>
    <message numerus="yes">
      <source>%n changes were made since.</source>
      <translation>
        <numerusform>%n change was made since.</numerusform>
        <numerusform>%n changes were made since.</numerusform>
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
      <source>%n files of kinds that Focal does not read: {0}.</source>
      <translation>
        <numerusform>%n file of a kind that Focal does not read: {0}.</numerusform>
        <numerusform>%n files of kinds that Focal does not read: {0}.</numerusform>
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
      <source>%n photos</source>
      <translation>
        <numerusform>%n photo</numerusform>
        <numerusform>%n photos</numerusform>
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
      <source>Move %n file(s) to the system's trash?</source>
      <translation>
        <numerusform>Move %n file to the system's trash?</numerusform>
        <numerusform>Move %n files to the system's trash?</numerusform>
      </translation>
    </message>
  </context>
</TS>
