// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ILedger} from "./interfaces/ILedger.sol";

/// Calls verifiers with a proof and its public signals exactly as they lie in calldata and memory. The compiler's encoder
/// takes these arrays apart and puts them together again, which costs a payment over a thousand gas.
library Groth16 {
    /// Bytes of a proof.
    uint256 private constant PROOF = 0x100;

    /// Reverts with InvalidProof unless the verifier answers true.
    /// @param selector of verifyProof with as many public signals as there are
    /// @param signals where the public signals lie in memory, one word each
    /// @param size bytes of the public signals
    function check(address verifier, bytes4 selector, ILedger.Proof calldata proof, uint256 signals, uint256 size)
        internal
        view
    {
        bool valid;
        assembly ("memory-safe") {
            let input := mload(0x40)
            mstore(input, selector)
            calldatacopy(add(input, 0x04), proof, PROOF)
            mcopy(add(input, 0x104), signals, size)
            // Two facts at once: the call came back, and with a whole word (an address without code answers nothing).
            let answered := staticcall(gas(), verifier, input, add(size, 0x104), 0x00, 0x20)
            valid := and(eq(mload(0x00), 1), and(answered, gt(returndatasize(), 0x1f)))
        }
        if (!valid) revert ILedger.InvalidProof();
    }
}
