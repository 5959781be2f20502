import { addScript } from './add-script.ts'

interface Turnstile {
  render(
    container: HTMLElement,
    options: {
      sitekey: string
      appearance: 'interaction-only'
      callback: (token: string) => void
      'error-callback': (code: string) => void
    },
  ): string
  remove(widget: string): void
}

/** Cloudflare Turnstile, shown only when it requires interaction. */
export async function turnstile(siteKey: string): Promise<() => Promise<string>> {
  await addScript('https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit')
  const { turnstile: service } = globalThis as { turnstile?: Turnstile }
  if (service === undefined) throw new Error('Turnstile did not start')
  return () => {
    const container = document.createElement('div')
    document.querySelector('form')?.append(container)
    let widget = ''
    return new Promise<string>((resolve, reject) => {
      widget = service.render(container, {
        sitekey: siteKey,
        appearance: 'interaction-only',
        callback: resolve,
        'error-callback': (code) => reject(new Error(`Turnstile failed with error code ${code}`)),
      })
    }).finally(() => {
      service.remove(widget)
      container.remove()
    })
  }
}
