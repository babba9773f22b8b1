// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IERC3009Receive} from "../interfaces/IERC3009Receive.sol";

/// @title Stand-in for Global Dollar on local chains
/// @notice Named and versioned as the real token, with its EIP-2612 and EIP-3009, so that the same signatures work.
contract TestUSDG is ERC20Permit, IERC3009Receive {
    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant RECEIVE_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH =
        keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");

    /// The only address that may mint.
    address public immutable minter;

    /// Whether an authorization was used or cancelled.
    mapping(address authorizer => mapping(bytes32 nonce => bool)) public authorizationState;

    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

    error NotMinter(address caller);
    error CallerNotPayee(address caller, address to);
    error AuthorizationNotValid(uint256 validAfter, uint256 validBefore, uint256 timestamp);
    error AuthorizationUsedOrCanceled(address authorizer, bytes32 nonce);
    error InvalidAuthorization(address authorizer);

    constructor(address minter_) ERC20("Global Dollar", "USDG") ERC20Permit("Global Dollar") {
        minter = minter_;
    }

    /// Makes `value` millionths of a dollar.
    function mint(address to, uint256 value) external {
        if (msg.sender != minter) revert NotMinter(msg.sender);
        _mint(to, value);
    }

    /// EIP-3009: moves the authorizer's tokens; anyone may submit it.
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        _useTimedAuthorization(
            TRANSFER_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce, v, r, s
        );
        _transfer(from, to, value);
    }

    /// EIP-3009: as transferWithAuthorization, but only the payee may carry it.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        if (to != msg.sender) revert CallerNotPayee(msg.sender, to);
        _useTimedAuthorization(
            RECEIVE_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce, v, r, s
        );
        _transfer(from, to, value);
    }

    /// EIP-3009: makes an unused authorization worthless.
    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
        _checkUnused(authorizer, nonce);
        _checkSigned(authorizer, keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce)), v, r, s);
        authorizationState[authorizer][nonce] = true;
        emit AuthorizationCanceled(authorizer, nonce);
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function _useTimedAuthorization(
        bytes32 typeHash,
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) private {
        if (block.timestamp <= validAfter || block.timestamp >= validBefore) {
            revert AuthorizationNotValid(validAfter, validBefore, block.timestamp);
        }
        _checkUnused(from, nonce);
        _checkSigned(
            from, keccak256(abi.encode(typeHash, from, to, value, validAfter, validBefore, nonce)), v, r, s
        );
        authorizationState[from][nonce] = true;
        emit AuthorizationUsed(from, nonce);
    }

    function _checkUnused(address authorizer, bytes32 nonce) private view {
        if (authorizationState[authorizer][nonce]) revert AuthorizationUsedOrCanceled(authorizer, nonce);
    }

    function _checkSigned(address authorizer, bytes32 structHash, uint8 v, bytes32 r, bytes32 s) private view {
        (address signer, ECDSA.RecoverError fault,) = ECDSA.tryRecover(_hashTypedDataV4(structHash), v, r, s);
        if (fault != ECDSA.RecoverError.NoError || signer != authorizer) revert InvalidAuthorization(authorizer);
    }
}
