// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {StructHashes} from "../../src/StructHashes.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {vm} from "./Vm.sol";

/// Signs the ledger's structs. That the hashes are those of EIP-712 is shown by the fixtures, which another
/// implementation signed.
abstract contract StructSigner {
    /// Read once: a call between `expectRevert` and the call it means would be taken for that call.
    bytes32 internal separator;

    function _sign(uint256 key, bytes32 structHash) internal view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked(hex"1901", separator, structHash)));
        return abi.encodePacked(r, s, v);
    }

    function _signEnroll(uint256 key, ILedger.EnrollParams memory p) internal view returns (bytes memory) {
        return _sign(key, this.hashEnroll(p));
    }

    function _signAllocate(uint256 key, ILedger.AllocateParams memory p, uint256 oldBudget, uint64 nonce)
        internal
        view
        returns (bytes memory)
    {
        return _sign(key, this.hashAllocate(p, oldBudget, nonce));
    }

    function _signTransfer(uint256 key, ILedger.TransferParams memory p, uint256 oldBudget)
        internal
        view
        returns (bytes memory)
    {
        return _sign(key, this.hashTransfer(p, oldBudget));
    }

    function _signRelease(uint256 key, ILedger.ReleaseParams memory p, uint256 oldBudget)
        internal
        view
        returns (bytes memory)
    {
        return _sign(key, this.hashRelease(p, oldBudget));
    }

    function _signFund(uint256 key, ILedger.FundParams memory p, uint256 fromOldBudget, uint256 toOldBudget)
        internal
        view
        returns (bytes memory)
    {
        return _sign(key, this.hashFund(p, fromOldBudget, toOldBudget));
    }

    // External, so that structs in memory reach the library as calldata.

    function hashEnroll(ILedger.EnrollParams calldata p) external pure returns (bytes32) {
        return StructHashes.enroll(p);
    }

    function hashAllocate(ILedger.AllocateParams calldata p, uint256 oldBudget, uint64 nonce)
        external
        pure
        returns (bytes32)
    {
        return StructHashes.allocate(p, oldBudget, nonce);
    }

    function hashTransfer(ILedger.TransferParams calldata p, uint256 oldBudget) external pure returns (bytes32) {
        return StructHashes.transfer(p, oldBudget);
    }

    function hashRelease(ILedger.ReleaseParams calldata p, uint256 oldBudget) external pure returns (bytes32) {
        return StructHashes.release(p, oldBudget);
    }

    function hashFund(ILedger.FundParams calldata p, uint256 fromOldBudget, uint256 toOldBudget)
        external
        pure
        returns (bytes32)
    {
        return StructHashes.fund(p, fromOldBudget, toOldBudget);
    }
}
