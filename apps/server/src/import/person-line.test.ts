import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readForeignHash } from '../secrets/foreign-hash.ts'
import { parsePerson } from './person-line.ts'

const orgCodes = new Set(['FIGURE'])
const parse = (line: object, firebase?: Parameters<typeof parsePerson>[1]['firebase']) =>
  parsePerson(JSON.stringify({ email: 'Ada@People.example', organization: 'FIGURE', ...line }), {
    orgCodes,
    firebase,
  })

async function opens(line: ReturnType<typeof parse>, password: string): Promise<boolean> {
  if ('error' in line) throw new Error(line.error)
  const hash = readForeignHash(line.passwordHash ?? '')
  if ('error' in hash) throw new Error(hash.error)
  return hash.verify(password)
}

test('import: a line becomes a person with a normalized address and phone', () => {
  expect(
    parse({
      givenName: 'Ada',
      familyName: 'Example',
      profileType: 'AGENT',
      phone: '(201) 555-0142',
      phoneVerified: true,
    }),
  ).toEqual({
    email: 'ada@people.example',
    organizationCode: 'FIGURE',
    profileType: 'AGENT',
    givenName: 'Ada',
    familyName: 'Example',
    phone: '+12015550142',
    phoneVerified: true,
    passwordHash: null,
  })
})

test.each<[object, string]>([
  [{ email: 'ada' }, 'email Please enter a valid email'],
  [{ organization: 'NOWHERE' }, 'no organization has this code'],
  [{ phone: '12' }, 'phone is not'],
  [{ role: 'reviewer' }, 'role is not a known field'],
  [{ emailVerified: true }, 'emailVerified is not a known field'],
  [{ givenName: 7 }, 'givenName must be a string'],
  [{ passwordHash: `$2b$31$${'A'.repeat(53)}` }, 'bcrypt cost 31'],
  [{ firebase: { passwordHash: 'AA==', salt: 'AA==' } }, '--firebase FILE'],
  [{ keycloak: { secretData: '{', credentialData: '{}' } }, 'as Keycloak exports them'],
  [
    {
      keycloak: {
        secretData: '{"value":"AA==","salt":"AA=="}',
        credentialData: '{"algorithm":"rot13","hashIterations":1}',
      },
    },
    'algorithm rot13',
  ],
  [
    {
      passwordHash: 'a',
      keycloak: { secretData: '', credentialData: '' },
    },
    'more than one of',
  ],
])('import: the error of a line names the field: %j', (line, error) => {
  expect(parse(line)).toEqual({ error: expect.stringContaining(error) })
})

test.each(['{"email":', '[]', '7', 'null', '"x"'])(
  'import: a line that is no JSON object is refused: %s',
  (text) => {
    expect(parsePerson(text, { orgCodes, firebase: undefined })).toEqual({
      error: 'the line is not a JSON object',
    })
  },
)

test('import: an object that is no person is refused', () => {
  const text = '{"__proto__":{}}'
  expect(parsePerson(text, { orgCodes, firebase: undefined })).toHaveProperty('error')
})

const KEYCLOAK = JSON.parse(
  readFileSync(new URL('keycloak-vectors.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, { secretData: string; credentialData: string }>>

test.each(Object.keys(KEYCLOAK))(
  'import: a credential of Keycloak with %s, computed by Python',
  async (name) => {
    const line = parse({ keycloak: KEYCLOAK[name] })
    expect(await opens(line, 'pässwörd Ω 7')).toBe(true)
    expect(await opens(line, 'password')).toBe(false)
  },
)

test('import: the published vector of Firebase', async () => {
  const signer =
    'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=='
  const hash =
    'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=='
  const line = parse(
    { firebase: { passwordHash: hash, salt: '42xEC+ixf3L2lw==' } },
    { base64_signer_key: signer, base64_salt_separator: 'Bw==', rounds: 8, mem_cost: 14 },
  )
  expect(await opens(line, 'user1password')).toBe(true)
  expect(await opens(line, 'user2password')).toBe(false)
  // The signing key of the project is not stored.
  expect(JSON.stringify(line)).not.toContain(signer.slice(0, 20))
})
