/** Webhook signing secrets, which data files reference by variable name. */

export const WEBHOOK_SECRET_NAME = /^WEBHOOK_SECRET_[A-Z0-9_]{1,60}$/

/** The variables with signing secrets. */
export function webhookSecrets(
  variables: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(variables).flatMap(([name, value = '']) =>
      WEBHOOK_SECRET_NAME.test(name) ? [[name, value]] : [],
    ),
  )
}

/** Standard Webhooks: `whsec_` and 24 to 64 random bytes in base64. */
export function webhookSecretErrors(
  variables: Readonly<Record<string, string | undefined>>,
): string[] {
  return [...webhookSecrets(variables)].flatMap(([name, secret]) => {
    const bytes = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const isValid =
      secret === `whsec_${bytes.toString('base64')}` && bytes.length >= 24 && bytes.length <= 64
    return isValid
      ? []
      : [
          `${name} must be whsec_ and 24 to 64 bytes in base64 (\`echo whsec_$(openssl rand -base64 32)\`)`,
        ]
  })
}
