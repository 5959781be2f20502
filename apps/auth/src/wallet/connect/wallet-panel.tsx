/** The element that the hosted wallet's panel is mounted in. */
export const WALLET_PANEL_ID = 'wallet-panel'

/** The ID that the wallet library gives the panel; its Close button removes the same element. */
const HOSTED_PANEL_ID = 'figure-wallet-hosted'

/** Mounts the hosted wallet's panel inside the dialog, so the dialog's focus trap includes it. */
export function WalletPanel() {
  return <div id={WALLET_PANEL_ID} />
}

/** Closes the hosted wallet's panel if it is open. */
export function closePanel(): void {
  document.getElementById(HOSTED_PANEL_ID)?.remove()
}
