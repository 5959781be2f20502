/** Calls to the worker, as the extension's own windows send them. */
interface OwnPage {
  readonly evaluate: <Result, Arg>(run: (arg: Arg) => Result, arg: Arg) => Promise<Awaited<Result>>
}

/** The words of the development chain's first test account; anyone knows them. */
const WORDS =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
export const PASSPHRASE = 'granite lantern 47 orchard'

/** Sends a message from a page of the extension to its worker. */
export function send(page: OwnPage, message: unknown): Promise<unknown> {
  return page.evaluate(
    (sent) =>
      (Reflect.get(globalThis, 'browser') ?? Reflect.get(globalThis, 'chrome')).runtime.sendMessage(
        sent,
      ),
    message,
  )
}

export async function createVault(page: OwnPage): Promise<void> {
  const vault = { words: WORDS, passphrase: PASSPHRASE, accountName: 'Everyday' }
  const response = await send(page, { keeper: 'createVault', args: [vault] })
  if (!Object(response).hasOwnProperty('value')) throw new Error(JSON.stringify(response))
}
