// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ILedger} from "./interfaces/ILedger.sol";
import {
    IMakeAvailableVerifier,
    IFundVerifier,
    IPayManyVerifier,
    IReleaseVerifier,
    ISpendPublicVerifier,
    ISpendVerifier,
    ITransferVerifier
} from "./interfaces/IVerifiers.sol";

/// Calls verifiers with a proof and its public signals exactly as they lie in calldata and memory. The compiler's
/// encoder takes these arrays apart and puts them together again, which costs a payment almost a thousand gas.
/// Each function reverts with InvalidProof unless the verifier returns true.
library Groth16 {
    /// Public signals of a payment of one available balance: two commitments, a note or an amount, and ctx.
    function check(
        ITransferVerifier verifier,
        ILedger.Proof calldata proof,
        uint256 oldAvailable,
        uint256 newAvailable,
        uint256 noteOrAmount,
        uint256 ctx
    ) internal view {
        bytes4 selector = ITransferVerifier.verifyProof.selector;
        bool valid;
        assembly ("memory-safe") {
            let input := mload(0x40)
            mstore(input, selector)
            calldatacopy(add(input, 0x04), proof, 0x100)
            mstore(add(input, 0x104), oldAvailable)
            mstore(add(input, 0x124), newAvailable)
            mstore(add(input, 0x144), noteOrAmount)
            mstore(add(input, 0x164), ctx)
            // The call must come back, and with a whole word.
            let done := staticcall(gas(), verifier, input, 0x184, 0x00, 0x20)
            valid := and(eq(mload(0x00), 1), and(done, gt(returndatasize(), 0x1f)))
        }
        if (!valid) revert ILedger.InvalidProof();
    }

    /// As of a transfer: its public signals have the same shape.
    function check(
        IReleaseVerifier verifier,
        ILedger.Proof calldata proof,
        uint256 oldAvailable,
        uint256 newAvailable,
        uint256 amount,
        uint256 ctx
    ) internal view {
        check(ITransferVerifier(address(verifier)), proof, oldAvailable, newAvailable, amount, ctx);
    }

    /// Public signals of a move: two commitments of each available balance, and ctx.
    function check(
        IFundVerifier verifier,
        ILedger.Proof calldata proof,
        ILedger.FundParams calldata params,
        uint256 fromOldAvailable,
        uint256 toOldAvailable,
        uint256 ctx
    ) internal view {
        bytes4 selector = IFundVerifier.verifyProof.selector;
        (uint256 fromNewAvailable, uint256 toNewAvailable) = (params.fromNewAvailable, params.toNewAvailable);
        bool valid;
        assembly ("memory-safe") {
            let input := mload(0x40)
            mstore(input, selector)
            calldatacopy(add(input, 0x04), proof, 0x100)
            mstore(add(input, 0x104), fromOldAvailable)
            mstore(add(input, 0x124), fromNewAvailable)
            mstore(add(input, 0x144), toOldAvailable)
            mstore(add(input, 0x164), toNewAvailable)
            mstore(add(input, 0x184), ctx)
            let done := staticcall(gas(), verifier, input, 0x1a4, 0x00, 0x20)
            valid := and(eq(mload(0x00), 1), and(done, gt(returndatasize(), 0x1f)))
        }
        if (!valid) revert ILedger.InvalidProof();
    }

    function check(ISpendPublicVerifier verifier, ILedger.Proof calldata proof, uint256[6] memory signals)
        internal
        view
    {
        uint256 pointer;
        assembly ("memory-safe") {
            pointer := signals
        }
        _check(address(verifier), ISpendPublicVerifier.verifyProof.selector, proof, pointer, 0xc0);
    }

    function check(ISpendVerifier verifier, ILedger.Proof calldata proof, uint256[7] memory signals) internal view {
        uint256 pointer;
        assembly ("memory-safe") {
            pointer := signals
        }
        _check(address(verifier), ISpendVerifier.verifyProof.selector, proof, pointer, 0xe0);
    }

    function check(IMakeAvailableVerifier verifier, ILedger.Proof calldata proof, uint256[13] memory signals)
        internal
        view
    {
        uint256 pointer;
        assembly ("memory-safe") {
            pointer := signals
        }
        _check(address(verifier), IMakeAvailableVerifier.verifyProof.selector, proof, pointer, 0x1a0);
    }

    function check(IPayManyVerifier verifier, ILedger.Proof calldata proof, uint256[19] memory signals) internal view {
        uint256 pointer;
        assembly ("memory-safe") {
            pointer := signals
        }
        _check(address(verifier), IPayManyVerifier.verifyProof.selector, proof, pointer, 0x260);
    }

    /// @param signals where the public signals lie in memory, one word each
    /// @param size bytes of the public signals
    function _check(address verifier, bytes4 selector, ILedger.Proof calldata proof, uint256 signals, uint256 size)
        private
        view
    {
        bool valid;
        assembly ("memory-safe") {
            let input := mload(0x40)
            mstore(input, selector)
            calldatacopy(add(input, 0x04), proof, 0x100)
            mcopy(add(input, 0x104), signals, size)
            // The call must come back, and with a whole word.
            let answered := staticcall(gas(), verifier, input, add(size, 0x104), 0x00, 0x20)
            valid := and(eq(mload(0x00), 1), and(answered, gt(returndatasize(), 0x1f)))
        }
        if (!valid) revert ILedger.InvalidProof();
    }
}
