import {
  endExperiment,
  listExperiments,
  readExperimentResult,
  startExperiment,
} from '@portico/contracts/admin/experiments'
import { type AdminEdge, serveAct, serveAdmin } from '../serve-admin.ts'
import { experimentRuns } from './run-experiments.ts'

/** Routes for experiment runs. */
export function adminExperiments(
  edge: AdminEdge,
  deps: Parameters<typeof experimentRuns>[0],
): void {
  const runs = experimentRuns(deps)
  serveAdmin(edge, listExperiments, ({ operator }) => runs.list(operator))
  serveAct(edge, startExperiment, {
    check: async (body, operator) => runs.checkStart(body, operator),
    perform: ({ body, ...actor }) => runs.start(body, actor),
  })
  serveAct(edge, endExperiment, {
    check: ({ runId }, operator) => runs.checkEnd(runId, operator),
    perform: ({ body, ...actor }) => runs.end(body, actor),
  })
  serveAdmin(edge, readExperimentResult, ({ query, operator }) =>
    runs.result(query.runId, operator),
  )
}
