/** What of Trusted Types is used; not every browser has them. */
interface TrustedTypePolicies {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string }
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypePolicies }

const SERVICES = ['https://www.google.com', 'https://challenges.cloudflare.com']

/** The only policy: it passes the files of our own build, and the two services an operator may have chosen. */
const policy = trustedTypes?.createPolicy('portico', {
  createScriptURL(url) {
    const { origin } = new URL(url, location.href)
    if (origin === location.origin || SERVICES.includes(origin)) return url
    throw new TypeError(`Scripts of ${origin} are not allowed here`)
  },
})

/** The address of a script as the browser wants it under Trusted Types. */
export function scriptAddress(url: string): string {
  return policy?.createScriptURL(url) ?? url
}

/** Adds a service's script to the page and waits until it has run. */
export function addScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.async = true
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      script.remove()
      reject(new Error(`The script ${url} did not load`))
    })
    script.src = scriptAddress(url)
    document.head.append(script)
  })
}
