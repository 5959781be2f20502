import { useWalletBrand } from '@portico/shell/wallet-brand'
import { AnchorButton } from '@portico/ui/anchor-button'
import { Button } from '@portico/ui/button'
import { Dialog } from '@portico/ui/dialog'
import { Icon } from '@portico/ui/icon'
import { Stack } from '@portico/ui/stack'
import styles from './create-wallet.module.css'

const BENEFITS = [
  'Control your crypto and digital assets',
  'Securely authenticate and sign transactions',
  'Reuse your verified identity information',
]

/** The modal that lists the benefits of a wallet (§2.6). Users who already have a wallet connect it instead. */
export function CreateWallet({
  connectHref,
  onContinue,
  onClose,
}: {
  /** The page where users connect a wallet they already have. */
  connectHref: string
  onContinue: () => void
  onClose: () => void
}) {
  const { walletName } = useWalletBrand()
  return (
    <Dialog open title={`Create ${walletName}`} onClose={onClose}>
      <Stack>
        <p>With a wallet you can:</p>
        <ul className={styles.benefits}>
          {BENEFITS.map((benefit) => (
            <li key={benefit}>
              <Icon name="check" />
              {benefit}
            </li>
          ))}
        </ul>
        <Button wide onClick={onContinue}>
          Continue
        </Button>
        <AnchorButton kind="secondary" wide href={connectHref}>
          Connect a wallet you already have
        </AnchorButton>
      </Stack>
    </Dialog>
  )
}
