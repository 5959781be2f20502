/** The part of the Trusted Types API used here; not every browser supports it. */
interface TrustedTypePolicies {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string }
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypePolicies }

/** The page's only Trusted Types policy. It allows same-origin script URLs only. */
const policy = trustedTypes?.createPolicy('portico', {
  createScriptURL(url) {
    if (new URL(url, location.href).origin === location.origin) return url
    throw new TypeError('Worker scripts must be same-origin')
  },
})

/** Converts the URL of a worker's script to a `TrustedScriptURL` if the browser supports Trusted Types. */
export function trustedScriptUrl(url: string): string {
  return policy?.createScriptURL(url) ?? url
}
