import { UNEXPECTED } from '@portico/shell/failure'
import {
  ALONE,
  type Event,
  type Membership,
  type OrganizationAccount,
  type PendingOrganization,
} from './create-organization.flow.ts'

export const organization: PendingOrganization = {
  id: '0b5f6a52-3c0f-4a3e-9a40-1f1f6f1d2a11',
  name: 'Willow Partners',
  membership: ALONE,
  message: 'CgA=',
}

/** Two of three members must agree. */
export const membership: Membership = {
  members: [
    { address: 'tp1vcskvet9vdjkxvmzvdjkxvmzvdjkxvmzg8xz4k', name: 'Ben' },
    { address: 'tp1vcskvet9vdjkxvmzvdjkxvmzvdjkxvmzg8xz4l', name: '' },
  ],
  threshold: 2,
}

export const account: OrganizationAccount = {
  name: 'Willow Partners',
  address: 'tp1afk9zr2hn2jsac63h4hm60vl9z3e5u69gndzf7c99cqge3vzwjzserjkkf',
}

export const inputs = [null] as const

export const events: readonly Event[] = [
  { type: 'nameSubmitted', name: organization.name, membership },
  { type: 'begun', organization },
  { type: 'approved' },
  { type: 'rejected', failure: UNEXPECTED },
  { type: 'created', account },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'retried' },
  { type: 'back' },
  { type: 'actingChosen' },
  { type: 'acting' },
  { type: 'continued' },
]
