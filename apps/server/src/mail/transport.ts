import type { Config } from '../config.ts'

export interface Mail {
  readonly to: string
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface MailTransport {
  readonly send: (mail: Mail) => Promise<void>
  readonly close: () => void
}

/** The transport to the configured mail server, if there is one. */
export async function mailTransport({
  smtpUrl,
  smtpRequiresTls: requireTls,
}: Pick<Config, 'smtpUrl' | 'smtpRequiresTls'>): Promise<MailTransport | undefined> {
  return smtpUrl === undefined ? undefined : smtpTransport(smtpUrl, { requireTls })
}

/**
 * A transport over SMTP: `smtp://user:pass@host:port`, or `smtps://`. With `requireTls` nothing is sent unencrypted.
 * Connections are pooled and limited. The library is loaded only if a mail server is configured.
 */
export async function smtpTransport(
  url: string,
  { requireTls }: { readonly requireTls: boolean },
): Promise<MailTransport> {
  const { default: nodemailer } = await import('nodemailer')
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const transport = nodemailer.createTransport({
    pool: true,
    maxConnections: 4,
    host: hostname,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    // Otherwise an attacker between us and the mail server could strip STARTTLS and read the password and codes.
    requireTLS: requireTls,
    connectionTimeout: 10_000,
    socketTimeout: 20_000,
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  })
  return {
    async send(mail) {
      await transport.sendMail(mail)
    },
    close: () => transport.close(),
  }
}
