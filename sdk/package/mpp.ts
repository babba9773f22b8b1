/* `@halcyon/sdk/mpp`: buying and selling with the package `mppx`, a peer dependency. */
export { halcyonClient, halcyonServer } from "../x402/mpp";
