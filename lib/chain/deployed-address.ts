import { type Address, getContractAddress, type Hex, zeroHash } from "viem";

/**
 * The CREATE2 factory that chains and development nodes have at this address (Arachnid's deterministic deployment
 * proxy).
 */
export const FACTORY: Address = "0x4e59b44847b379578588920cA78FbF26c0B4956C";

/**
 * Returns the address at which the factory deploys a contract. It is derived from code and constructor arguments, so no
 * other code can ever be there.
 *
 * @param initCode creation bytecode, followed by the encoded constructor arguments
 */
export function deployedAddress(initCode: Hex): Address {
  return getContractAddress({ opcode: "CREATE2", from: FACTORY, salt: zeroHash, bytecode: initCode });
}
