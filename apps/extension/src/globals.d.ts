/// <reference types="chrome" />

/** The extension's version, inserted by the build. */
declare const EXTENSION_VERSION: string

/** The names under which pages find the extension (protocol 13), inserted by the build. */
declare const BRIDGE_NAMES: { readonly property: string; readonly event: string }

/** The event that finds out whether a property is this build's announcement, inserted by the build. */
declare const ANNOUNCED_EVENT: string

/** The chain's network, inserted by the build. */
declare const NETWORK: 'mainnet' | 'testnet'
