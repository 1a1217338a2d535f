<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
  <context>
    <name>focal</name>
    <message numerus="yes">
      <source>%n photos</source>
      <translation>
        <numerusform>%n photo</numerusform>
        <numerusform>%n photos</numerusform>
      </translation>
    </message>
  </context>
</TS>
