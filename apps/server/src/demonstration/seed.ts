import type { Clock } from '../clock.ts'
import { hashPassword } from '../secrets/passwords.ts'
import type { AllStores } from '../stores.ts'
import { DEMONSTRATION_PEOPLE } from './people.ts'

/** Adds the demonstration people who are not there yet; whoever is there stays as they are. */
export async function seedPeople(stores: AllStores, clock: Clock): Promise<void> {
  for (const { email, password, state } of DEMONSTRATION_PEOPLE) {
    if (await stores.identities.byEmail(email)) continue
    const at = clock()
    await stores.identities.add({
      email,
      organizationCode: state.organizationCode,
      at,
      profileType: state.profileType ?? 'CUSTOMER',
      passwordHash: password === undefined ? null : await hashPassword(password),
      passwordExpiredAt: state.passwordExpired ? at : null,
      lockedAt: state.locked ? at : null,
      loginRedirect: state.loginRedirect ?? null,
    })
  }
}
