import { expect, test } from 'vitest'
import { parseCommandLine, UsageError } from './command-line.ts'
import { COMMANDS } from './commands.ts'

const parse = (line: string) =>
  parseCommandLine(
    COMMANDS,
    line === '' ? [] : line.split(' ').map((each) => each.replaceAll('_', ' ')),
  )

test.each([
  [
    'people unlock lars@lender.example --reason Ticket_4711',
    { arguments: ['lars@lender.example'], options: { reason: 'Ticket 4711' }, flags: [] },
  ],
  [
    '--reason=Ticket people unlock lars@lender.example',
    undefined, // The command comes first.
  ],
  ['people find', { arguments: [undefined], options: {}, flags: [] }],
  ['people find --all --json', { arguments: [undefined], options: {}, flags: ['all', 'json'] }],
  [
    'people delete --delete-hosted-wallets --reason=x a@b.example',
    { arguments: ['a@b.example'], options: { reason: 'x' }, flags: ['delete-hosted-wallets'] },
  ],
  ['token --json', { arguments: [], options: {}, flags: ['json'] }],
])('15 %s', (line, expected) => {
  if (expected === undefined) {
    expect(() => parse(line)).toThrow(UsageError)
    return
  }
  const parsed = parse(line)
  expect(parsed).toMatchObject({
    kind: 'run',
    arguments: expected.arguments,
    options: expected.options,
  })
  expect(parsed.kind === 'run' && [...parsed.flags]).toEqual(expected.flags)
})

test.each([
  ['people', 'people unlock PERSON --reason TEXT'],
  ['people --help', 'people unlock PERSON --reason TEXT'],
  ['', 'PORTICO_ADMIN_TOKEN'],
  ['--help', 'no token may create tokens'],
  ['--help', '6 waiting for another operator'],
  ['people unlock --help', 'The token needs the permission people.write.'],
  ['audit export -h', '--format FORMAT'],
  ['token --help', 'Any valid service token is sufficient.'],
])('15 help for "%s"', (line, text) => {
  expect(parse(line)).toMatchObject({ kind: 'help', text: expect.stringContaining(text) })
})

test.each([
  ['folk', 'Unknown command'],
  ['people frobnicate', 'portico-admin people --help lists its commands'],
  ['people unlock', 'PERSON is missing'],
  ['people unlock a@b.example', '--reason TEXT is missing'],
  ['people unlock a@b.example --reason _', '--reason TEXT is missing'],
  ['people unlock a@b.example b@b.example --reason x', 'Too many arguments'],
  ['people unlock a@b.example --token=ptk_secret', "Unknown option '--token'"],
  ['people unlock a@b.example --reason', '--reason'],
])('15 wrong usage: %s', (line, text) => {
  expect(() => parse(line)).toThrow(UsageError)
  expect(() => parse(line)).toThrow(text)
  // A secret on the command line is not repeated in logs.
  expect(() => parse(line)).not.toThrow(/secret/)
})

test('15 every command has a distinct name, and its optional arguments come last', () => {
  const names = COMMANDS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { arguments: args } of COMMANDS) {
    const optional = args.findIndex((name) => name.startsWith('['))
    expect(optional === -1 || optional === args.length - 1).toBe(true)
  }
})
