// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {ETH} from "./Constants.sol";
import {IERC3009Receive} from "./interfaces/IERC3009Receive.sol";
import {Accounts} from "./Accounts.sol";
import {ILedger} from "./interfaces/ILedger.sol";

/// Assets, the deposited money deposits bring, and the way out. The owner role lists assets and bounds deposits; it
/// reaches no money.
abstract contract Deposits is Accounts, Ownable2Step {
    using SafeERC20 for IERC20;

    /// One slot. A listed asset has a unit above zero.
    struct Asset {
        uint128 unit;
        uint64 depositLimit;
    }

    // One while money comes in or goes out. A whole word: nothing is read to write it.
    uint256 private transient moving;

    mapping(address token => Asset) private assets;
    mapping(address who => mapping(address asset => uint64 units)) private depositedBalances;

    constructor(address owner) Ownable(owner) {}

    /// What arrives is measured as the difference of two balances, so no other call may move money in between.
    modifier nonReentrant() {
        if (moving != 0) revert Reentered();
        moving = 1;
        _;
        moving = 0;
    }

    /// @inheritdoc ILedger
    function listAsset(address token, uint256 unit, uint256 depositLimit) external onlyOwner {
        // Checks
        if (assets[token].unit != 0) revert AlreadyListed(token);
        if (unit == 0 || unit > type(uint128).max) revert InvalidAsset(token, unit);
        if (token != ETH && token.code.length == 0) revert InvalidAsset(token, unit);
        // Effects
        assets[token].unit = uint128(unit);
        emit AssetListed(token, unit);
        _setLimit(token, depositLimit);
    }

    /// @inheritdoc ILedger
    function setDepositLimit(address token, uint256 limit) external onlyOwner {
        _unitOf(token);
        _setLimit(token, limit);
    }

    /// @inheritdoc ILedger
    /// @dev What arrives is measured before it is credited, so the effects follow the interaction; the guard keeps a token
    /// that calls back from being counted twice.
    function deposit(address asset, uint256 tokenAmount) external payable nonReentrant {
        // Checks
        _checkEnrolled(msg.sender);
        if (asset == ETH) {
            if (msg.value != tokenAmount) revert WrongValue(msg.value, tokenAmount);
            _deposited(msg.sender, asset, tokenAmount);
            return;
        }
        if (msg.value != 0) revert WrongValue(msg.value, 0);
        _unitOf(asset);
        // Interactions
        uint256 before = IERC20(asset).balanceOf(address(this));
        IERC20(asset).safeTransferFrom(msg.sender, address(this), tokenAmount);
        // Effects
        _deposited(msg.sender, asset, IERC20(asset).balanceOf(address(this)) - before);
    }

    /// @inheritdoc ILedger
    /// @dev Order as in `deposit`.
    function depositWithAuthorization(
        address asset,
        address from,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external nonReentrant {
        // Checks
        _checkEnrolled(from);
        _unitOf(asset);
        (uint8 v, bytes32 r, bytes32 s) = ECDSA.parseCalldata(signature);
        // Interactions
        uint256 before = IERC20(asset).balanceOf(address(this));
        IERC3009Receive(asset)
            .receiveWithAuthorization(from, address(this), value, validAfter, validBefore, nonce, v, r, s);
        // Effects
        _deposited(from, asset, IERC20(asset).balanceOf(address(this)) - before);
    }

    /// @inheritdoc ILedger
    function depositedOf(address who, address asset) external view returns (uint64) {
        return depositedBalances[who][asset];
    }

    /// @inheritdoc ILedger
    function assetOf(address asset) external view returns (bool listed, uint256 unit, uint256 depositLimit) {
        Asset storage entry = assets[asset];
        return (entry.unit != 0, entry.unit, entry.depositLimit);
    }

    /// The asset's smallest units per unit; reverts when it is not listed.
    function _unitOf(address asset) internal view returns (uint256 unit) {
        assembly ("memory-safe") {
            mstore(0x00, asset)
            mstore(0x20, assets.slot)
            unit := and(sload(keccak256(0x00, 0x40)), 0xffffffffffffffffffffffffffffffff)
        }
        if (unit == 0) revert NotListed(asset);
    }

    /// Takes units from an account's deposited money.
    function _useDeposited(address who, address asset, uint64 units) internal {
        if (units == 0) return;
        uint64 available = depositedBalances[who][asset];
        if (units > available) revert InsufficientDeposited(who, asset, available, units);
        unchecked {
            depositedBalances[who][asset] = available - units;
        }
    }

    /// Sends tokens or coins out. The last act of its caller.
    function _pay(address to, address asset, uint256 tokenAmount) internal {
        if (asset != ETH) {
            IERC20(asset).safeTransfer(to, tokenAmount);
        } else if (!LowLevelCall.callNoReturn(to, tokenAmount, "")) {
            revert CoinTransferFailed(to, tokenAmount);
        }
    }

    function _deposited(address who, address asset, uint256 received) private {
        uint256 unit = _unitOf(asset);
        if (received == 0) revert ZeroAmount();
        uint256 units = received / unit;
        if (units * unit != received) revert NotWholeUnits(asset, received, unit);
        uint256 limit = assets[asset].depositLimit;
        if (units > limit) revert DepositLimitExceeded(asset, units, limit);
        uint256 total = depositedBalances[who][asset] + units;
        if (total > type(uint64).max) revert DepositedOverflow(who, asset);
        depositedBalances[who][asset] = uint64(total);
        emit Deposited(who, asset, uint64(units));
    }

    function _setLimit(address token, uint256 limit) private {
        if (limit > type(uint64).max) revert InvalidLimit(limit);
        assets[token].depositLimit = uint64(limit);
        emit DepositLimitSet(token, limit);
    }
}
