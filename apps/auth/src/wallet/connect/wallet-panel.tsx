/** The element in which the hosted wallet's panel opens. */
export const WALLET_PANEL_ID = 'wallet-panel'

/** The panel as the wallet library names it; its own close does the same. */
const HOSTED_PANEL = 'figure-wallet-hosted'

/** Where the hosted wallet's panel opens: inside the dialog, so that its focus trap lets the panel be used. */
export function WalletPanel() {
  return <div id={WALLET_PANEL_ID} />
}

/** Takes the hosted wallet's panel away where it still stands. */
export function closePanel(): void {
  document.getElementById(HOSTED_PANEL)?.remove()
}
