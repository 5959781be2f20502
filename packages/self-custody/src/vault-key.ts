/** Where the vault is in the device's storage. Without a value there is no wallet on this device. */
export const VAULT_KEY = 'vault'
