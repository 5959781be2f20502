/**
 * The API's base in the wallet flow (§7.1): the lender's host with `www.` in production only where the current address
 * has it, and with `test.` everywhere else. Hosts without a public suffix (a clone on localhost) are their own base.
 */
export function walletApiBase(current: URL, production: boolean): string {
  const bare = current.host.replace(/^(?:www|test)\./, '')
  if (/^(?:localhost|\[|\d+\.\d+\.\d+\.\d+)/.test(bare)) return current.origin
  const prefix = production ? (current.host.startsWith('www.') ? 'www.' : '') : 'test.'
  return `${current.protocol}//${prefix}${bare}`
}
