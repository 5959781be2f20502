import type { Config } from '../config.ts'
import { readFiles } from '../data-files/data-files.ts'
import { outboundUrl } from '../http/outbound-post.ts'
import { WebhookFile } from './webhook-file.ts'
import { allowedHosts } from './webhook-url.ts'

/** An endpoint with its secrets, the current one first. */
export interface Webhook extends Omit<WebhookFile, 'secrets'> {
  readonly secrets: readonly string[]
}

export type WebhookConfig = Pick<
  Config,
  'configDir' | 'production' | 'webhookHosts' | 'webhookSecrets'
>

/** Reads the webhook endpoints and adds their errors to `errors`. */
export function loadWebhooks(
  config: WebhookConfig,
  orgCodes: { readonly has: (orgCode: string) => boolean },
  errors: string[],
): readonly Webhook[] {
  const files = readFiles(config.configDir, 'webhooks', WebhookFile, errors)
  return files.map(({ name, content }, index) => {
    const { id, organization, url } = content
    const first = files.slice(0, index).find((other) => other.content.id === id)
    if (first !== undefined) errors.push(`${name}: id ${id} is already used by ${first.name}`)
    if (!orgCodes.has(organization)) {
      errors.push(`${name}: organization is ${organization}, but no organization has this code`)
    }
    if (outboundUrl(url, allowedHosts(url, config)) === undefined) {
      errors.push(
        `${name}: url must be an https URL of a public host without a port, or of a host in WEBHOOK_HOSTS`,
      )
    }
    const secrets = content.secrets.flatMap((variable) => {
      const secret = config.webhookSecrets.get(variable)
      if (secret === undefined) errors.push(`${name}: secrets names ${variable}, which is not set`)
      return secret ?? []
    })
    return { ...content, secrets }
  })
}
