/** The calls that an application of the lender makes for its signed-in user. */
export {
  logout,
  readIdentity,
  readSession,
} from '@portico/contracts/identity'
export {
  readCreatorPassportStatus,
  readPassportStatus,
} from '@portico/contracts/passport'
export {
  readAccountAccess,
  readAccounts,
  readWalletAccounts,
  selectAccount,
} from '@portico/contracts/wallet'
