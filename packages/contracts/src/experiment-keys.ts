/** The experiments that pages and calls act on (§7.8): broker agents, broker customers, partner simplified onboarding. */
export const EXPERIMENT_KEYS = [
  'broker-agent-login',
  'broker-customer-login',
  'partner-simplified-onboarding',
] as const

/** One of those. */
export type ExperimentKey = (typeof EXPERIMENT_KEYS)[number]

/** Where a page says that its visitor now sees what an experiment decided. Stands here for pages, which need no schema. */
export const EXPOSURE_PATH = '/service-optimize/external/api/v2/exposure'
