/* `@halcyon/sdk/mpp`: buying and selling with the package `mppx`, which it needs beside it. */
export { halcyonClient, halcyonServer } from "../x402/mpp";
