import type { AccountChoice } from '@portico/rules/account-sections'
import type { ConnectCode } from '../wallet/connect/connect.flow.ts'

const ADDRESS = 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh'

/** An individual account. */
export const EVERYDAY: AccountChoice = {
  account: { name: 'Everyday', address: ADDRESS },
  wallet: {
    address: ADDRESS,
    name: 'Everyday',
    type: 'FIGURE',
    authorizationType: 'Owner',
    verified: true,
  },
}

/** An organization account. */
export const BIRCH: AccountChoice = {
  account: { name: 'Birch Holdings', address: `${ADDRESS}b` },
  wallet: { ...EVERYDAY.wallet, name: 'Olga', authorizationType: 'Group' },
}

/** Accounts of each type, including one with the longest allowed name. */
export const accounts = {
  individual: [
    EVERYDAY,
    {
      account: { name: 'Savings for the house in the country', address: `${ADDRESS}a` },
      wallet: { ...EVERYDAY.wallet, address: `${ADDRESS}a`, verified: false },
    },
  ],
  organizational: [BIRCH],
}

/** The three finder patterns of a QR code, without any data. */
const CORNERS = ['0 0', '14 0', '0 14'].map((place) => `M${place}h7v7h-7zm2 2h3v3h-3z`).join('')

/** A placeholder that looks like a QR code but cannot be scanned. */
export const QR_CODE: ConnectCode = {
  image: `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 21 21"><path fill="#fff" d="M0 0h21v21H0z"/><path fill-rule="evenodd" d="${CORNERS}"/></svg>`,
  )}`,
  link: 'https://lender.example/mobile-wallet?link=wc',
  tapLink: 'https://lender.example/mobile-wallet?link=tap',
}
