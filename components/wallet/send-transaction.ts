// Only deposits send transactions, so the code is loaded then.
export { sendTransaction } from "wagmi/actions";
