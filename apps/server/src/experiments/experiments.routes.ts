import { decideExternally, decideInternally, recordExposure } from '@portico/contracts/experiments'
import { DAY_MS } from '@portico/contracts/limits'
import { Counter, type Registry } from 'prom-client'
import type { Clock } from '../clock.ts'
import { siteOf } from '../http/network.ts'
import { type Edge, serve } from '../http/serve.ts'
import type { Stores } from '../stores.ts'
import type { Experiments } from './experiments.ts'
import type { exposuresStore } from './exposures.store.ts'
import { LEFT_OUT } from './to-feature.ts'

/**
 * How many new visitors one network (an IPv6 /48) adds to a run per day. Trackers can be invented, so that a single client could decide a run.
 */
const NEW_VISITORS_PER_NETWORK = 20
/** The experiment routes (§7.8). */
export function experimentRoutes(
  edge: Edge,
  deps: {
    readonly experiments: Experiments
    readonly store: ReturnType<typeof exposuresStore>
    readonly runs: Pick<Stores['experimentRuns'], 'hasVisitor' | 'insertVisitor'>
    readonly counts: Pick<Stores['insightCounting'], 'addVisitors'>
    readonly metrics: Registry
    readonly clock: Clock
  },
): void {
  const { experiments, store, runs, counts, clock } = deps
  const exposures = new Counter({
    name: 'portico_experiment_exposures_total',
    help: 'Visitors exposed to an experiment, each counted once, by the node that recorded the exposure.',
    labelNames: ['experiment', 'variant'],
    registers: [deps.metrics],
  })

  serve(edge, decideExternally, async ({ body, visitor, tracker }) => {
    if (tracker() === undefined) return { flagEnabled: false }
    const { trackerId, organization } = body.optimizeUser
    const orgCode = organization?.toUpperCase() ?? visitor.organization.orgCode
    const { enabled } = experiments.decide(body.experimentKey, {
      trackerUuid: trackerId,
      orgCode,
      label: visitor.organization.label?.code,
    })
    return { flagEnabled: enabled }
  })

  serve(edge, decideInternally, async ({ body, visitor, tracker }) => {
    if (tracker() === undefined) return { flagEnabled: false }
    // The page's organization, as in its page data and exposures, regardless of the identity's organization.
    const { orgCode, label } = visitor.organization
    const { enabled } = experiments.decide(body.experimentKey, {
      trackerUuid: body.optimizeUser.trackerId,
      orgCode,
      label: label?.code,
    })
    return { flagEnabled: enabled }
  })

  serve(edge, recordExposure, async ({ body, visitor, tracker }) => {
    const current = tracker()
    // Without a stored cookie the browser is a new visitor each time, and no page has made a decision for it.
    if (current === undefined || current.fresh) return
    const { experimentKey } = body
    const { orgCode, label } = visitor.organization
    const trackerUuid = current.uuid
    const subject = { trackerUuid, orgCode, label: label?.code }
    const { variant, runId } = experiments.decide(experimentKey, subject)
    if (variant === undefined) return
    const at = clock()
    if (runId !== undefined && !(await runs.hasVisitor(runId, trackerUuid))) {
      const key = `visitors of ${runId} ${siteOf(visitor.network)}`
      const { allowed } = await edge.rateLimit.take(key, NEW_VISITORS_PER_NETWORK, DAY_MS)
      if (!allowed) {
        const leftOut = { runId, variant: LEFT_OUT, organizationCode: orgCode, outcome: '' }
        await counts.addVisitors({ ...leftOut, visitors: 1 })
        return
      }
    }
    const first =
      runId === undefined
        ? await store.insert({ trackerUuid, experimentKey, variant, orgCode, at })
        : await runs.insertVisitor({
            runId,
            trackerUuid,
            variant,
            organizationCode: orgCode,
            exposedAt: at,
          })
    if (first) exposures.inc({ experiment: experimentKey, variant })
  })
}
