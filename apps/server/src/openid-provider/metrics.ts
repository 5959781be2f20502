import { Counter, type Registry } from 'prom-client'

export interface OpenidMetrics {
  readonly countToken: (grant: unknown, outcome: string) => void
  readonly countLogout: (outcome: 'accepted' | 'failed') => void
}

const GRANTS: readonly unknown[] = ['authorization_code', 'refresh_token']

export function openidMetrics(registry: Registry): OpenidMetrics {
  const registers = [registry]
  const tokens = new Counter({
    name: 'portico_openid_tokens_total',
    help: 'Requests of applications for tokens, by grant and outcome: issued, or the error of the protocol.',
    labelNames: ['grant', 'outcome'],
    registers,
  })
  const logouts = new Counter({
    name: 'portico_openid_logouts_total',
    help: 'Attempts to notify an application of a logout, by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  for (const grant of GRANTS) tokens.inc({ grant: String(grant), outcome: 'issued' }, 0)
  for (const outcome of ['accepted', 'failed']) logouts.inc({ outcome }, 0)
  return {
    // A client can send any grant type.
    countToken: (grant, outcome) =>
      tokens.inc({ grant: GRANTS.includes(grant) ? String(grant) : 'other', outcome }),
    countLogout: (outcome) => logouts.inc({ outcome }),
  }
}
