import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { openLog, redact } from './log.ts'

function lines(write: (log: ReturnType<typeof openLog>) => void): string {
  const written: string[] = []
  write(openLog('trace', (line) => written.push(line)))
  return written.join('')
}

test.each([
  ['to olive.plain@portico.example now', 'to [email] now'],
  ['<a+b@x.example>', '<[email]>'],
  ['?email=a@x.example&b', '?email=[email]&b'],
  ['code 123456.', 'code [code].'],
  ['port 1234567', 'port 1234567'],
  [`Bearer eyJhbGciOi.eyJzdWIi.c2ln`, 'Bearer [token]'],
  ['a token cut off, eyJhbGciOi.eyJz', 'a token cut off, [token]'],
  ['postgres://portico:word@database/portico', 'postgres://[email]/portico'],
  ['nothing of note', 'nothing of note'],
])('9 the log redacts %j to %j', (text, logged) => {
  expect(redact(text)).toBe(logged)
})

test.each(['eyJ', '1.', 'a', 'a@'])('9 a long text of %j is redacted in linear time', (part) => {
  // A quadratic expression would take hours.
  expect(redact(part.repeat(200_000)).length).toBeGreaterThan(0)
})

test('9 fields named like secrets are redacted, also when nested', () => {
  const secret = 'do-not-log-me'
  const log = lines((to) => {
    for (const name of ['password', 'newPassword', 'token', 'code', 'jwt', 'secret', 'email']) {
      to.info({ [name]: secret, body: { [name]: secret }, request: { body: { [name]: secret } } })
    }
    to.info({ headers: { authorization: secret, cookie: secret } })
  })
  expect(log).not.toContain(secret)
  expect(log).toContain('[redacted]')
})

test('9 an error is logged with its causes, redacted', () => {
  const cause = new Error('no mail to a@x.example')
  const log = lines((to) => to.error({ err: new Error('code 123456 failed', { cause }) }, 'defect'))
  expect(JSON.parse(log)).toMatchObject({
    level: 'error',
    msg: 'defect',
    err: { message: 'code [code] failed', cause: { message: 'no mail to [email]' } },
  })
  expect(log).not.toMatch(/123456|a@x/)
})

test('9 a thrown value that is not an error is redacted too', () => {
  expect(lines((to) => to.error({ err: 'a@x.example' }))).toContain('"message":"[email]"')
})

test('9 the code of an error and its cause is logged; a passcode in its place is not', () => {
  const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  const error = Object.assign(new Error('no database', { cause }), { code: '57P01' })
  const log = lines((to) => {
    to.error({ err: error }, 'defect')
    to.error({ err: Object.assign(new Error('x'), { code: '123456' }), body: { code: '654321' } })
  })
  expect(JSON.parse(log.split('\n')[0] ?? '')).toMatchObject({
    err: { code: '57P01', cause: { code: 'ECONNREFUSED' } },
  })
  expect(log).not.toMatch(/123456|654321/)
})

test('9 each line names its machine and process', () => {
  expect(JSON.parse(lines((to) => to.info('started')))).toMatchObject({
    hostname: hostname(),
    pid: process.pid,
  })
})
