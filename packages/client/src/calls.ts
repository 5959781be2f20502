/** The calls that a lender's application makes for its signed-in user. */
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
