import {
  PROVIDER_PRODUCTS,
  type ProviderProduct,
  type ProviderProtocol,
} from '@portico/contracts/sso-setup'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { CardOption, CardSelect } from '@portico/ui/card-select'
import { Stack } from '@portico/ui/stack'
import { useState } from 'react'
import { PRODUCTS, PROTOCOLS } from './setup-texts.ts'
import styles from './sso-setup.module.css'
import type { StepProps } from './step-props.ts'

const protocolIn = (value: string): ProviderProtocol => (value === 'saml' ? 'saml' : 'oidc')

export function ChooseProvider({ setup, job, onRequest }: StepProps) {
  const [product, setProduct] = useState<ProviderProduct | undefined>(setup.product ?? undefined)
  const [protocol, setProtocol] = useState<ProviderProtocol>(setup.protocol ?? 'oidc')
  const isReplacing =
    setup.protocol !== null && setup.protocol !== protocol && (setup.oidc ?? setup.saml) !== null
  return (
    <Stack>
      <CardSelect
        label="Identity provider"
        value={product}
        onChange={(value) => setProduct(PROVIDER_PRODUCTS.find((each) => each === value))}
      >
        <div className={styles.cards}>
          {PROVIDER_PRODUCTS.map((each) => (
            <CardOption key={each} value={each} title={PRODUCTS[each].name} />
          ))}
        </div>
      </CardSelect>
      <Stack gap="inside">
        <h2>Protocol</h2>
        <CardSelect
          label="Protocol"
          value={protocol}
          onChange={(value) => setProtocol(protocolIn(value))}
        >
          {(['oidc', 'saml'] as const).map((each) => (
            <CardOption
              key={each}
              value={each}
              title={PROTOCOLS[each].name}
              note={PROTOCOLS[each].hint}
            />
          ))}
        </CardSelect>
      </Stack>
      {isReplacing && (
        <Alert tone="warn">
          If you change the protocol, you have to enter the connection and the attributes again.
        </Alert>
      )}
      <div className={styles.actions}>
        <Button
          busy={job?.type === 'choose'}
          busyLabel="Saving…"
          disabled={product === undefined}
          onClick={() => product && onRequest({ type: 'choose', product, protocol })}
        >
          Continue
        </Button>
      </div>
    </Stack>
  )
}
