/** Adds a service's script to the page and waits until it has run. Pages that may need one enforce no Trusted Types. */
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
