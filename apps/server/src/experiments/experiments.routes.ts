import { decideExternally, decideInternally, recordExposure } from '@portico/contracts/experiments'
import { Counter, type Registry } from 'prom-client'
import type { Clock } from '../clock.ts'
import { type Edge, serve } from '../http/serve.ts'
import type { Experiments } from './experiments.ts'
import type { exposuresStore } from './exposures.store.ts'

/** The calls of experiments (§7.8). */
export function experimentCalls(
  edge: Edge,
  deps: {
    readonly experiments: Experiments
    readonly store: ReturnType<typeof exposuresStore>
    readonly metrics: Registry
    readonly clock: Clock
  },
): void {
  const { experiments, store, clock } = deps
  const exposures = new Counter({
    name: 'portico_experiment_exposures_total',
    help: 'Visitors who saw what an experiment decided, once each, counted by the node that heard of it first.',
    labelNames: ['experiment', 'variant'],
    registers: [deps.metrics],
  })

  serve(edge, decideExternally, async ({ body, visitor, tracker }) => {
    if (tracker() === undefined) return { flagEnabled: false }
    const { trackerId, organization } = body.optimizeUser
    const orgCode = organization?.toUpperCase() ?? visitor.organization.orgCode
    const { enabled } = experiments.decide(body.experimentKey, { trackerUuid: trackerId, orgCode })
    return { flagEnabled: enabled }
  })

  serve(edge, decideInternally, async ({ body, visitor, tracker }) => {
    if (tracker() === undefined) return { flagEnabled: false }
    const session = await edge.sessions.ofCookie(visitor.sessionCookie)
    const { enabled } = experiments.decide(body.experimentKey, {
      trackerUuid: body.optimizeUser.trackerId,
      orgCode: session?.organizationCode ?? visitor.organization.orgCode,
    })
    return { flagEnabled: enabled }
  })

  serve(edge, recordExposure, async ({ body, visitor, tracker }) => {
    const known = tracker()
    // Whose browser does not keep the cookie is another visitor each time, and none that a page decided for.
    if (known === undefined || known.fresh) return
    const { experimentKey } = body
    const { orgCode } = visitor.organization
    const { variant } = experiments.decide(experimentKey, { trackerUuid: known.uuid, orgCode })
    if (variant === undefined) return
    const first = await store.add({
      trackerUuid: known.uuid,
      experimentKey,
      variant,
      orgCode,
      at: clock(),
    })
    if (first) exposures.inc({ experiment: experimentKey, variant })
  })
}
