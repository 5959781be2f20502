/** What of Trusted Types is used; not every browser has them. */
interface TrustedTypePolicies {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string }
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypePolicies }

/** The page's only policy: it passes files of our own origin, for which it was made, and nothing else. */
const policy = trustedTypes?.createPolicy('portico', {
  createScriptURL(url) {
    if (new URL(url, location.href).origin === location.origin) return url
    throw new TypeError('Workers come from our own origin only')
  },
})

/** The address of a worker as the browser wants it under Trusted Types. */
export function workerAddress(url: string): string {
  return policy?.createScriptURL(url) ?? url
}
