import type { Setup } from '@portico/contracts/sso-setup'

/** The steps of a setup, in their order. */
export const SETUP_STEPS = [
  'provider',
  'connection',
  'domains',
  'attributes',
  'test',
  'enable',
  'directory',
] as const

export type SetupStep = (typeof SETUP_STEPS)[number]

export const STEP_TITLES: Readonly<Record<SetupStep, string>> = {
  provider: 'Choose your provider',
  connection: 'Connect your provider',
  domains: 'Verify your domains',
  attributes: 'Map attributes',
  test: 'Test a sign-in',
  enable: 'Turn on single sign-on',
  directory: 'Connect your directory',
}

/** The steps that have what they need. Attributes and the directory are optional. */
export function completeSteps({
  protocol,
  oidc,
  saml,
  domains,
  directoryTokens,
  test,
  enabledAt,
  isApplied,
}: Setup): readonly SetupStep[] {
  const isConnected = oidc !== null || saml !== null
  const complete: Readonly<Record<SetupStep, boolean>> = {
    provider: protocol !== null,
    connection: isConnected,
    domains: domains.some(({ verifiedAt }) => verifiedAt !== null),
    attributes: isConnected,
    test: test?.status === 'passed' || isApplied,
    enable: enabledAt !== null && isApplied,
    directory: directoryTokens.some(({ lastUsedAt }) => lastUsedAt !== null),
  }
  return SETUP_STEPS.filter((step) => complete[step])
}

/** The step to show: the one in the address if it can be opened, otherwise the first that is not complete. */
export function shownStep(setup: Setup, named: string | null): SetupStep {
  const open = openSteps(setup)
  const found = open.find((step) => step === named)
  const done: readonly SetupStep[] = [...completeSteps(setup), 'directory']
  return found ?? SETUP_STEPS.find((step) => !done.includes(step)) ?? 'enable'
}

/** The steps that can be opened: all, once the provider is connected. */
export function openSteps(setup: Setup): readonly SetupStep[] {
  const complete = completeSteps(setup)
  if (complete.includes('connection')) return SETUP_STEPS
  return complete.includes('provider') ? ['provider', 'connection'] : ['provider']
}
