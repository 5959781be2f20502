import { MAX_IMAGE_PIXELS } from '@portico/contracts/limits'
import { expect, test } from 'vitest'
import { checkEvidence } from './check-evidence.ts'
import { aJpeg, aPdf, aPng, aZip, flateStream } from './testing.ts'

const SCRIPT = '<</S /JavaScript /JS (app.alert(1))>>'
const ACTIVE = { refusal: 'file-has-active-content' }
const DAMAGED = { refusal: 'file-damaged' }
const OTHER_TYPE = { refusal: 'file-type-refused' }
const text = (content: string) => Buffer.from(content, 'latin1')

test('uploads: PDF, JPEG and PNG files are accepted by their content', () => {
  const page = flateStream('BT /F1 12 Tf (Statement of accounts) Tj ET')
  const objects = flateStream('4 0 <</Title (Statement)>>', '/Type /ObjStm /N 1 /First 4')
  const outline = '<</Type /Outlines /First 3 0 R /Last 3 0 R>>'
  const photo = { dictionary: '/Subtype /Image /Filter /DCTDecode', content: aJpeg() }
  const pdf = aPdf([
    page,
    objects,
    outline,
    photo,
    '<</A <</S /URI /URI (https://bank.example)>>>>',
  ])
  expect(checkEvidence(pdf)).toEqual({
    type: 'application/pdf',
    contentBytes: pdf.length - 1,
  })
  expect(checkEvidence(aJpeg())).toEqual({ type: 'image/jpeg', contentBytes: aJpeg().length })
  expect(checkEvidence(aPng())).toEqual({ type: 'image/png', contentBytes: aPng().length })
})

test.each<[string, Buffer]>([
  ['SVG', text('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
  ['HTML', text('<!doctype html><script>alert(1)</script>')],
  ['a ZIP archive', aZip()],
  ['a program', text('MZ\x90\0\x03\0\0\0')],
  ['HEIC', text('\0\0\0\x18ftypheic\0\0\0\0mif1heic')],
  ['GIF', text('GIF89a\x01\0\x01\0\0\0\0;')],
  ['HTML before a PDF', Buffer.concat([text('<script>alert(1)</script>'), aPdf()])],
  ['nothing', Buffer.alloc(0)],
])('uploads: %s is refused', (_, bytes) => {
  expect(checkEvidence(bytes)).toEqual(OTHER_TYPE)
})

test.each<[string, Buffer]>([
  ['a script', aPdf([SCRIPT])],
  ['a script with an escaped name', aPdf(['<</S /J#61va#53cript /JS (app.alert(1))>>'])],
  [
    'a script in an object stream',
    aPdf([flateStream(`4 0 ${SCRIPT}`, '/Type /ObjStm /N 1 /First 4')]),
  ],
  ['a script in a stream that is not declared as one of objects', aPdf([flateStream(SCRIPT)])],
  [
    'a script inside another stream',
    aPdf([{ dictionary: '', content: text(`9 0 obj\n${SCRIPT}\nendobj`) }]),
  ],
  [
    'an object stream with two filters',
    aPdf([
      { dictionary: '/Type /ObjStm /Filter [/ASCIIHexDecode /FlateDecode]', content: text('78>') },
    ]),
  ],
  [
    'an object stream compressed by LZW',
    aPdf([{ dictionary: '/Type/ObjStm/N 1/First 4/Filter/LZWDecode', content: text('\x80') }]),
  ],
  [
    'an object stream with a predictor',
    aPdf([flateStream('4 0 <<>>', '/Type /ObjStm /DecodeParms <</Predictor 12>>')]),
  ],
  [
    'an object stream with a dictionary that is hard to recognize',
    aPdf([flateStream('4 0 <<>>', '/Type /ObjStm /Note (0 obj) /DecodeParms 9 0 R')]),
  ],
  ['an action that starts a program', aPdf(['<</S /Launch /F (calc.exe)>>'])],
  ['an embedded file', aPdf([flateStream('<html>', '/Type /EmbeddedFile')])],
  [
    'a file at an annotation, whose stream does not say that it is one',
    aPdf([
      '<</Type /Annot /Subtype /FileAttachment /FS 5 0 R>>',
      '<</F (invoice.exe)>>',
      flateStream('MZ'),
    ]),
  ],
  ...['/EF <</F 5 0 R>>', '/#45F<</F 5 0 R>>', '/EF 6 0 R', '/EF % files\n<</F 5 0 R>>'].map(
    (entry): [string, Buffer] => [
      `a file by ${JSON.stringify(entry)}`,
      aPdf([`<</F (invoice.exe) ${entry}>>`, flateStream('MZ')]),
    ],
  ),
  ['a form that sends data', aPdf(['<</S /SubmitForm /F (https://attacker.example)>>'])],
  ['an XFA form', aPdf(['<</XFA 9 0 R>>'])],
])('uploads: a PDF with %s is refused', (_, bytes) => {
  expect(checkEvidence(bytes)).toEqual(ACTIVE)
})

test('uploads: an encrypted PDF is refused with advice', () => {
  const bytes = aPdf([], { trailer: '/Encrypt 9 0 R' })
  expect(checkEvidence(bytes)).toEqual({ refusal: 'file-has-password' })
})

test('uploads: a compressed stream with a wrong checksum is read as PDF readers do', () => {
  const { dictionary, content } = flateStream(`4 0 ${SCRIPT}`, '/Type /ObjStm /N 1 /First 4')
  const falsified = Buffer.from(content)
  falsified.fill(0, falsified.length - 4)
  expect(checkEvidence(aPdf([{ dictionary, content: falsified }]))).toEqual(ACTIVE)
  // It is unknown what readers would still find before the damage.
  const broken = Buffer.concat([content.subarray(0, -8), Buffer.from([0xff, 0xff, 0xff, 0xff])])
  expect(checkEvidence(aPdf([{ dictionary, content: broken }]))).not.toHaveProperty('type')
})

test('uploads: decompression bombs are refused', () => {
  const bomb = flateStream(Buffer.alloc(65 * 1024 * 1024))
  expect(bomb.content.length).toBeLessThan(100_000)
  expect(checkEvidence(aPdf([bomb]))).toEqual(DAMAGED)
  const large = flateStream(Buffer.alloc(60 * 1024 * 1024))
  expect(checkEvidence(aPdf([large]))).toHaveProperty('type')
  expect(checkEvidence(aPdf(Array.from({ length: 7 }, () => large)))).toEqual(DAMAGED)
  const keywords = { dictionary: '', content: text('stream\n'.repeat(100_000)) }
  expect(checkEvidence(aPdf([keywords]))).toEqual(DAMAGED)
})

test('uploads: truncated and damaged files are refused', () => {
  const flipped = aPng()
  flipped[20] = 0xff
  for (const bytes of [
    aPdf().subarray(0, -10),
    aPng().subarray(0, -5),
    aPng().subarray(0, 8),
    flipped,
    aJpeg().subarray(0, -2),
    aJpeg().subarray(0, 30),
    text('\xff\xd8\xff\xd9'),
  ]) {
    expect(checkEvidence(bytes)).toEqual(DAMAGED)
  }
})

test('uploads: a picture with more pixels than a device can show is refused', () => {
  const width = 20_000
  const height = MAX_IMAGE_PIXELS / width
  const tooLarge = { refusal: 'image-too-large' }
  expect(checkEvidence(aPng({ width, height }))).toHaveProperty('type', 'image/png')
  expect(checkEvidence(aPng({ width, height: height + 1 }))).toEqual(tooLarge)
  expect(checkEvidence(aPng({ width: 4_294_967_295, height: 1 }))).toEqual(tooLarge)
  expect(checkEvidence(aJpeg({ width: 65_535, height: 65_535 }))).toEqual(tooLarge)
})

test('uploads: data after the end of a document or picture is not served', () => {
  for (const file of [aPng(), aJpeg()]) {
    const checked = checkEvidence(Buffer.concat([file, aZip()]))
    expect(checked).toHaveProperty('contentBytes', file.length)
  }
  const pdf = aPdf()
  const page = text('<script>alert(1)</script>')
  expect(checkEvidence(Buffer.concat([pdf, page]))).toHaveProperty('contentBytes', pdf.length - 1)
})

test('uploads: a file that is also an archive up to its end is refused', () => {
  // The archive's comment is the rest of the document.
  const rest = 'startxref\n0\n%%EOF'
  const both = Buffer.concat([aPdf(), aZip({ comment: rest })])
  expect(checkEvidence(both)).toEqual(OTHER_TYPE)
})

test('uploads: a picture with HTML in a comment stays a picture', () => {
  expect(checkEvidence(aPng({ text: '<script>alert(1)</script>' }))).toHaveProperty(
    'type',
    'image/png',
  )
})

test('uploads: a randomly damaged file is accepted or refused, never an error', () => {
  const samples = [aPdf([flateStream('4 0 <<>>', '/Type /ObjStm')]), aPng(), aJpeg()]
  for (let round = 0; round < 300; round += 1) {
    const bytes = Buffer.from(samples[round % samples.length] ?? [])
    for (let each = 0; each < 4; each += 1) {
      bytes[(round * 7919 + each * 104_729) % bytes.length] = (round * 31 + each * 17) & 255
    }
    const checked = checkEvidence(bytes)
    expect('refusal' in checked || checked.contentBytes <= bytes.length).toBe(true)
  }
})
