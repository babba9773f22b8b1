// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {DEADLINE_WINDOW} from "./Constants.sol";
import {Eip712Domain} from "./Eip712Domain.sol";

/// Who stands behind a call. Keys sign with ECDSA; wallets may be contracts.
abstract contract Signatures is Eip712Domain {
    /// Reverts unless the deadline is now or at most DEADLINE_WINDOW ahead.
    function _checkDeadline(uint64 deadline) internal view {
        if (deadline < block.timestamp || deadline > block.timestamp + DEADLINE_WINDOW) {
            revert BadDeadline(deadline, block.timestamp);
        }
    }

    /// Whom the signature recovers to, without one the sender. Zero is no one.
    function _signer(bytes32 digest, bytes calldata signature) internal view returns (address signer) {
        if (signature.length == 0) return msg.sender;
        (signer,,) = ECDSA.tryRecoverCalldata(digest, signature);
    }

    /// Whether the call proves a key, which is never a contract that speaks by ERC-1271.
    function _isKey(address key, address signer) internal view returns (bool) {
        // A removed key is zero, and so is the signer of a malformed signature.
        return key != address(0) && (msg.sender == key || signer == key);
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
