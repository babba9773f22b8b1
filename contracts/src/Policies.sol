// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
import {FIELD_ORDER} from "./Constants.sol";
import {Accounts} from "./Accounts.sol";
import {StructHashes} from "./StructHashes.sol";
import {ILedger} from "./interfaces/ILedger.sol";

/// What keys may spend: policy commitments, which the proofs open, and recipients and days, which the ledger checks
/// itself.
abstract contract Policies is Accounts {
    struct Policy {
        bytes32 recipientsRoot;
        bytes32 documentHash;
    }

    /// The wallet pays beyond the policy.
    uint8 private constant BY_WALLET = 2;
    bytes32 private constant NO_ONE = 0;
    bytes32 private constant ANYONE = bytes32(uint256(1));
    // A day begins first at UTC+14 and ends last at UTC-12.
    uint256 private constant BEGINS_EARLIER = 14 hours;
    uint256 private constant ENDS_LATER = 12 hours;

    mapping(address who => Policy) private policies;
    mapping(address who => mapping(address asset => uint256 commitment)) private policyCommitments;

    /// @inheritdoc ILedger
    function setPolicy(PolicyParams calldata params, bytes calldata signature) external {
        // Checks
        _checkDeadline(params.deadline);
        uint256 count = params.assets.length;
        if (params.commitments.length != count) revert LengthMismatch(count, params.commitments.length);
        for (uint256 i = 0; i < count; ++i) {
            if (params.commitments[i] >= FIELD_ORDER) revert InvalidPolicyCommitment(params.commitments[i]);
        }
        address wallet = _walletOf(params.account);
        (, uint64 version,) = _payer(params.account);
        bytes32 digest = _digest(StructHashes.setPolicy(params, version));
        if (wallet == params.account) {
            _checkWallet(wallet, wallet, digest, signature);
        } else {
            if (!params.limited) revert AgentIsLimited(params.account);
            _checkOwner(wallet, digest, signature);
        }
        // Effects
        _usePolicyVersion(params.account, version);
        if (wallet == params.account) _setLimited(wallet, params.limited);
        policies[params.account] = Policy(params.recipientsRoot, params.documentHash);
        for (uint256 i = 0; i < count; ++i) {
            policyCommitments[params.account][params.assets[i]] = params.commitments[i];
        }
        emit PolicySet(
            params.account,
            version + 1,
            params.limited,
            params.recipientsRoot,
            params.documentHash,
            params.assets,
            params.commitments
        );
    }

    /// @inheritdoc ILedger
    function policyOf(address who)
        external
        view
        returns (uint64 policyVersion, bytes32 recipientsRoot, bytes32 documentHash)
    {
        (, policyVersion,) = _payer(who);
        return (policyVersion, policies[who].recipientsRoot, policies[who].documentHash);
    }

    /// @inheritdoc ILedger
    function policyCommitmentOf(address who, address asset) public view returns (uint256) {
        return policyCommitments[who][asset];
    }

    /// Reverts unless the mode exists and, in modes 0 and 1, the day is now and the policy allows the recipient.
    /// @return terms what the proof shows the rules for
    /// @return commitment the policy commitment, which the proof opens in modes 0 and 1
    function _checkTerms(
        address account_,
        address to,
        address asset,
        uint8 mode,
        uint32 day,
        uint64 deadline,
        RecipientProof calldata recipient
    ) internal view returns (uint256 terms, uint256 commitment) {
        if (mode > BY_WALLET || (mode == BY_WALLET && day != 0)) revert InvalidTerms(mode, day);
        terms = uint256(mode) + 4 * uint256(day);
        commitment = policyCommitments[account_][asset];
        if (mode == BY_WALLET) return (terms, commitment);
        _checkDay(day, deadline);
        if (commitment == 0) revert NoPolicy(account_, asset);
        _checkRecipient(account_, to, recipient);
    }

    /// Somewhere on Earth it is this day, from now up to the deadline.
    function _checkDay(uint32 day, uint64 deadline) private view {
        uint256 start = 1 days * uint256(day);
        if (block.timestamp + BEGINS_EARLIER < start || deadline >= start + 1 days + ENDS_LATER) {
            revert WrongDay(day, deadline, block.timestamp);
        }
    }

    function _checkRecipient(address account_, address to, RecipientProof calldata recipient) private view {
        bytes32 root = policies[account_].recipientsRoot;
        if (root == ANYONE) return;
        // Hashed twice: a leaf is never a node. It names the account, so a tree serves no other.
        bytes32 leaf = keccak256(abi.encode(keccak256(abi.encode(account_, to, recipient.leafSalt))));
        if (root == NO_ONE || !MerkleProof.verifyCalldata(recipient.path, root, leaf)) {
            revert RecipientNotAllowed(account_, to);
        }
    }
}
