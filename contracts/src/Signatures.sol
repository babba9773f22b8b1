// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {DEADLINE_WINDOW} from "./Constants.sol";
import {Eip712Domain} from "./Eip712Domain.sol";

/// Who stands behind a call. Keys sign with ECDSA; wallets may be contracts.
abstract contract Signatures is Eip712Domain {
    // Of two signatures that differ in the sign of s, one counts: the other's s is above half the order of secp256k1.
    uint256 private constant HALF_CURVE_ORDER = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    /// Reverts unless the deadline is now or at most DEADLINE_WINDOW ahead.
    function _checkDeadline(uint256 deadline) internal view {
        unchecked {
            // One that has passed wraps around to far more than the window.
            if (deadline - block.timestamp > DEADLINE_WINDOW) revert BadDeadline(uint64(deadline), block.timestamp);
        }
    }

    /// Whom the signature recovers to, without one the sender. Zero is no one.
    /// @dev r, s and v, as OpenZeppelin's ECDSA takes them: 65 bytes with the lower of the two s. ecrecover returns nothing for
    /// a v, r or s that is none.
    function _signer(bytes32 digest, bytes calldata signature) internal view returns (address signer) {
        if (signature.length == 0) return msg.sender;
        if (signature.length != 65) return address(0);
        assembly ("memory-safe") {
            let s := calldataload(add(signature.offset, 0x20))
            if iszero(gt(s, HALF_CURVE_ORDER)) {
                let input := mload(0x40)
                mstore(input, digest)
                mstore(add(input, 0x20), byte(0, calldataload(add(signature.offset, 0x40))))
                mstore(add(input, 0x40), calldataload(signature.offset))
                mstore(add(input, 0x60), s)
                mstore(0x00, 0)
                pop(staticcall(gas(), 0x01, input, 0x80, 0x00, 0x20))
                signer := mload(0x00)
            }
        }
    }

    /// Whether the call proves a key, which is never a contract that speaks by ERC-1271.
    function _isKey(address key, address signer) internal view returns (bool) {
        // A removed key is zero, and so is the signer of a malformed signature.
        return key != address(0) && (msg.sender == key || signer == key);
    }

    /// Whether the call proves a key that counts up to and including `until`. The same as `_isKey` without a jump, for payments.
    function _isKeyUntil(address key, uint256 until, address signer) internal view returns (bool proven) {
        assembly ("memory-safe") {
            proven := and(
                and(iszero(iszero(key)), or(eq(caller(), key), eq(signer, key))), iszero(gt(timestamp(), until))
            )
        }
    }

    /// Whether the call proves a wallet: the key first, so that code which EIP-7702 gave it can't lock it out. What a wallet's
    /// code does stays without effect (STATICCALL), and one word of what it returns is read.
    function _isWallet(address wallet, address signer, bytes32 digest, bytes calldata signature)
        internal
        view
        returns (bool)
    {
        return _isKey(wallet, signer)
            || (wallet.code.length != 0
                && SignatureChecker.isValidERC1271SignatureNowCalldata(wallet, digest, signature));
    }

    /// Reverts: no one who may do this for `account_` stands behind the call.
    function _refuse(address account_, address signer) internal pure {
        if (signer == address(0)) revert InvalidSignature();
        revert NotAuthorized(account_, signer);
    }
}
