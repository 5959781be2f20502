import {
  readIdentity,
  redeemToken,
  register,
  sendToken,
  setPassword,
} from '@portico/contracts/identity'
import { smtpTransport } from '@portico/server/mail-transport'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { expect, test, vi } from 'vitest'
import { freePort } from '../../tools/machine/free-port.ts'
import { aWorld, newPerson } from '../support/world.ts'

const WAITS = { timeout: 60_000, interval: 50 }

/** An SMTP server that stores received mail. */
function mailServer(port: number, messages: Buffer[]): SMTPServer {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    // Our pool keeps its connection open, which must not delay the end of the test.
    closeTimeout: 10,
    onAuth: ({ username, password }, _session, done) =>
      username === 'lender' && password === 'p@ss word'
        ? done(null, { user: username })
        : done(new Error('refused')),
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        messages.push(Buffer.concat(chunks))
        done()
      })
    },
  })
  server.listen(port, '127.0.0.1')
  return server
}

test('2.4 registers over a real mail server that is down at first; no mail is lost or duplicated', async () => {
  const port = await freePort()
  await using world = await aWorld()
    .withSettings({
      SMTP_URL: `smtp://lender:p%40ss%20word@127.0.0.1:${port}`,
      MAIL_FROM: 'login@lender.example',
    })
    .withLog('info')
  const { email, password } = newPerson('posted')
  const browser = world.browser()
  await browser.call(register, { body: { email } })
  const { uuid } = await browser.call(sendToken, { body: { email } })
  await vi.waitFor(() => expect(world.log.join('')).toContain('mail not sent'), WAITS)

  const received: Buffer[] = []
  const server = mailServer(port, received)
  try {
    world.clock.pass(3000)
    await vi.waitFor(() => expect(received).toHaveLength(1), WAITS)
    const mail = await PostalMime.parse(received[0] ?? '')
    expect(mail).toMatchObject({
      from: { name: 'Figure', address: 'login@lender.example' },
      to: [{ address: email }],
      subject: 'Your Figure passcode',
    })
    expect(mail.html).toContain('Verify your email address')
    const code = /^\d{6}$/m.exec(mail.text ?? '')?.[0] ?? ''
    expect(mail.html).toContain(code)

    const { jwt } = await browser.call(redeemToken, { body: { loginUuid: uuid, token: code } })
    browser.jwt.write(jwt ?? '')
    await browser.call(setPassword, { body: { newPassword: password } })
    expect((await browser.call(readIdentity, {})).passwordExpired).toBe(false)
    await vi.waitFor(() => expect(received).toHaveLength(2), WAITS)
    expect((await PostalMime.parse(received[1] ?? '')).subject).toBe('Welcome to Figure')

    // Delivered mail is cleared here and not sent again.
    world.clock.pass(60 * 60 * 1000)
    const storedMessages = async () => world.query('select kind, content, sent_at from messages')
    await vi.waitFor(async () => {
      expect(
        (await storedMessages()).every(({ content, sent_at }) => content === '' && sent_at),
      ).toBe(true)
    }, WAITS)
    expect(await world.mail(email)).toEqual([])
    expect(received).toHaveLength(2)
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
})

test('10 C10 nothing is sent to a mail server without STARTTLS, not even the password, unless allowed', async () => {
  const port = await freePort()
  const messages: Buffer[] = []
  const server = mailServer(port, messages)
  const url = `smtp://lender:p%40ss%20word@127.0.0.1:${port}`
  const mail = {
    to: 'a@people.example',
    from: 'b@lender.example',
    subject: 'c',
    text: 'd',
    html: 'e',
  }
  const strict = await smtpTransport(url, { requireTls: true })
  const lax = await smtpTransport(url, { requireTls: false })
  try {
    await expect(strict.send(mail)).rejects.toThrow(/STARTTLS/)
    expect(messages).toEqual([])
    await lax.send(mail)
    expect(messages).toHaveLength(1)
  } finally {
    strict.close()
    lax.close()
    await new Promise<void>((resolve) => server.close(resolve))
  }
})
