import { Refusal } from '@portico/contracts/errors'
import type { VaultState } from '@portico/wallet-kit/device-wallet'
import { useEffect, useState } from 'react'
import { useMobileEnvironment } from '../environment.ts'
import type { OpenWallet } from './open-wallet.ts'

/** Whether the vault is empty, locked or unlocked; undefined until it was read. */
export function useVaultStep({ device: { keeper } }: OpenWallet): VaultState['step'] | undefined {
  const { reportError } = useMobileEnvironment()
  const [step, setStep] = useState<VaultState['step']>()
  useEffect(() => {
    const read = () => {
      keeper.vault().then(
        (vault) => setStep(vault.step),
        (error: unknown) => {
          // The wallet's screens explain a refusal, such as a damaged vault.
          if (!(error instanceof Refusal)) reportError(error)
        },
      )
    }
    read()
    return keeper.subscribe(read)
  }, [keeper, reportError])
  return step
}
