// Deposits alone send one: what prepares it is loaded then.
export { sendTransaction } from "wagmi/actions";
