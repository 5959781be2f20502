import { addScript } from './add-script.ts'

interface Recaptcha {
  ready(listener: () => void): void
  execute(siteKey: string, options: { action: string }): Promise<string>
}

/** Google reCAPTCHA v3, which scores requests without user interaction. */
export async function recaptcha(siteKey: string): Promise<() => Promise<string>> {
  await addScript(`https://www.google.com/recaptcha/api.js?render=${encodeURIComponent(siteKey)}`)
  const { grecaptcha } = globalThis as { grecaptcha?: Recaptcha }
  if (grecaptcha === undefined) throw new Error('reCAPTCHA did not start')
  await new Promise<void>((resolve) => grecaptcha.ready(resolve))
  return () => grecaptcha.execute(siteKey, { action: 'login' })
}
