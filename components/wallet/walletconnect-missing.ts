import { HalcyonError } from "@/sdk/api/errors";

/** Stands in for `@walletconnect/ethereum-provider` where it is not installed (next.config.ts). */
export const EthereumProvider = {
  init(): never {
    throw new HalcyonError(
      "unavailable",
      "WalletConnect is configured but its package is not installed. The operator of this service has to install it. Use a browser wallet.",
    );
  },
};
