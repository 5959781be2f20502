/** Adds a third-party script and waits until it has run. Pages that may load one do not enforce Trusted Types. */
export function addScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.async = true
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      script.remove()
      reject(new Error(`The script ${url} did not load`))
    })
    script.src = url
    document.head.append(script)
  })
}
