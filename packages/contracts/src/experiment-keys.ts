/** The experiments of §7.8: broker agents, broker customers, partner simplified onboarding. */
export const EXPERIMENT_KEYS = [
  'broker-agent-login',
  'broker-customer-login',
  'partner-simplified-onboarding',
] as const

export type ExperimentKey = (typeof EXPERIMENT_KEYS)[number]

/** The exposure call's path. Declared here because pages do not need its schema. */
export const EXPOSURE_PATH = '/service-optimize/external/api/v2/exposure'
