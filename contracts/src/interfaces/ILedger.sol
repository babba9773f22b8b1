// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Ledger of confidential budgets and notes
/// @notice Amounts are on chain only as Poseidon commitments ("words"); Groth16 proofs and EIP-712 signatures move them.
/// A unit is the smallest amount the ledger counts in (USDG 1e-6, ETH 1 gwei); every amount is below 2^64 units.
/// @dev Where a function takes a signature, empty bytes mean that the authority is `msg.sender`; else they are a 65-byte
/// ECDSA signature (low s) of the EIP-712 digest of the function's struct. ctx of a proof is that digest mod FIELD_ORDER.
/// Old words and nonces of a struct are read from storage: a signature over others does not match.
/// Every deadline satisfies block.timestamp <= deadline <= block.timestamp + 24 hours.
interface ILedger {
    /// A Groth16 proof in the order of the pairing precompile (limbs of `b` already swapped).
    struct Proof {
        uint256[2] a;
        uint256[2][2] b;
        uint256[2] c;
    }

    struct EnrollParams {
        address account;
        bytes32 viewingKey;
        address spender;
        uint64 spenderUntil;
        bytes sealedRoot;
        uint64 deadline;
    }

    struct AllocateParams {
        address account;
        address asset;
        uint256 newBudget;
        uint256[8] notes;
        uint64 credit;
        uint256 changeNote;
        uint64 deadline;
        bytes ciphertext;
    }

    struct TransferParams {
        address account;
        address to;
        address asset;
        uint256 newBudget;
        uint256 note;
        uint64 deadline;
        bytes recipientCiphertext;
        bytes payerCiphertext;
    }

    struct ReleaseParams {
        address account;
        address to;
        address asset;
        uint256 newBudget;
        uint64 amount;
        uint64 deadline;
        bytes payerCiphertext;
    }

    struct FundParams {
        address from;
        address to;
        address asset;
        uint256 fromNewBudget;
        uint256 toNewBudget;
        uint64 deadline;
        bytes fromCiphertext;
        bytes toCiphertext;
    }

    /// What the ledger knows about a note of one account and asset. A spent note never opens again.
    enum NoteStatus {
        None,
        Open,
        Spent
    }

    // ---------------------------------------------------------------- errors

    /// The deadline has passed, or lies more than 24 hours ahead.
    error BadDeadline(uint64 deadline, uint256 timestamp);
    /// The signature is malformed, or has a high s; or there is none and the sender is the zero address.
    error InvalidSignature();
    /// `signer` (recovered, or the sender) may not do this for `account`. A digest that differs in any field recovers
    /// to someone else, so a signature over other words fails with this too, as does one for another nonce, chain or ledger.
    error NotAuthorized(address account, address signer);
    /// The proof does not hold for the words in storage, the call's fields and this ledger.
    error InvalidProof();
    /// A verifier of the constructor is no contract. It could never be replaced.
    error VerifierWithoutCode(address verifier);
    /// `account` has a record already, as account or as agent.
    error AlreadyEnrolled(address account);
    /// `account` has no record.
    error NotEnrolled(address account);
    /// A viewing key of zero marks an address without a record.
    error ZeroViewingKey(address account);
    /// `owner` is itself an agent, or the agent.
    error InvalidOwner(address owner);
    /// An agent is spent by its own wallet, its owner's wallet and its owner's spender; it has no spender of its own.
    error AgentHasNoSpender(address agent);
    /// `from` and `to` are not an owner and one of its own agents.
    error NotOwnAgent(address from, address to);
    /// An account cannot pay itself.
    error PaymentToSelf(address account);
    /// No one can spend what is released to the ledger or to the zero address.
    error InvalidRecipient(address to);
    /// The word is zero, the empty budget, or not below the order of the field.
    error InvalidBudget(uint256 word);
    /// The word is zero, the empty note, or not below the order of the field.
    error InvalidNote(uint256 word);
    /// The note was opened before: a note is unique for its account and asset, for ever.
    error NoteNotNew(address account, address asset, uint256 note);
    /// The note is not open for this account and asset.
    error NoteNotOpen(address account, address asset, uint256 note);
    /// The budget is empty already.
    error NothingToAbandon(address account, address asset);
    /// More credit was asked for than is there.
    error InsufficientCredit(address account, address asset, uint64 available, uint64 needed);
    /// The credit would not be below 2^64 units.
    error CreditOverflow(address account, address asset);
    /// Amounts are at least one unit.
    error ZeroAmount();
    /// The asset is not listed.
    error NotListed(address asset);
    /// An asset is listed once; its unit never changes.
    error AlreadyListed(address asset);
    /// The unit is zero or above 2^128, or the token has no code.
    error InvalidAsset(address asset, uint256 unit);
    /// The limit is not below 2^64 units.
    error InvalidLimit(uint256 limit);
    /// The deposit is larger than one deposit of this asset may be.
    error DepositLimitExceeded(address asset, uint256 units, uint256 limit);
    /// What arrived is no whole number of units.
    error NotWholeUnits(address asset, uint256 amount, uint256 unit);
    /// The coins sent along differ from what the call says (for tokens: from none).
    error WrongValue(uint256 sent, uint256 expected);
    /// The recipient of released coins refused them.
    error CoinTransferFailed(address to, uint256 amount);

    // ---------------------------------------------------------------- events

    event Enrolled(
        address indexed account, bytes32 viewingKey, address spender, uint64 spenderUntil, bytes sealedRoot
    );
    event SpenderSet(address indexed account, address spender, uint64 spenderUntil);
    event Abandoned(address indexed account, address indexed asset, uint256 oldBudget);
    event AgentEnrolled(address indexed agent, address indexed owner);
    event Deposited(address indexed account, address indexed asset, uint64 units);
    event Allocated(
        address indexed account,
        address indexed asset,
        uint256 oldBudget,
        uint256 newBudget,
        uint256[8] notes,
        uint64 credit,
        uint256 changeNote,
        bytes ciphertext
    );
    event Transferred(
        address indexed account,
        address indexed to,
        address indexed asset,
        uint256 oldBudget,
        uint256 newBudget,
        uint256 note,
        bytes recipientCiphertext,
        bytes payerCiphertext
    );
    event Released(
        address indexed account,
        address indexed to,
        address indexed asset,
        uint256 oldBudget,
        uint256 newBudget,
        uint64 amount,
        bytes payerCiphertext
    );
    event Funded(
        address indexed from,
        address indexed to,
        address indexed asset,
        uint256 fromOldBudget,
        uint256 fromNewBudget,
        uint256 toOldBudget,
        uint256 toNewBudget,
        bytes fromCiphertext,
        bytes toCiphertext
    );
    event AssetListed(address indexed asset, uint256 unit);
    event DepositLimitSet(address indexed asset, uint256 limit);

    // ---------------------------------------------------------------- accounts

    /// @notice Registers the viewing key of an address without a record, for ever. Authority: the address's wallet.
    /// @dev EIP-712: Enroll(address account,bytes32 viewingKey,address spender,uint64 spenderUntil,
    /// bytes32 sealedRootHash,uint64 nonce,uint64 deadline), nonce 0. A zero spender is none.
    function enroll(EnrollParams calldata params, bytes calldata signature) external;

    /// @notice Replaces the account's spender (zero: removes it), valid up to and including `spenderUntil`.
    /// Authority: the account's wallet. Uses up the account's nonce. Agents have no spender.
    /// @dev EIP-712: SetSpender(address account,address spender,uint64 spenderUntil,uint64 nonce,uint64 deadline)
    function setSpender(address account, address spender, uint64 spenderUntil, uint64 deadline, bytes calldata signature)
        external;

    /// @notice Sets a budget whose opening is lost to zero: burns it. Authority: the account's wallet, for an agent its
    /// owner's wallet. Uses up the account's nonce.
    /// @dev EIP-712: Abandon(address account,address asset,uint256 oldBudget,uint64 nonce,uint64 deadline)
    function abandon(address account, address asset, uint64 deadline, bytes calldata signature) external;

    /// @notice Registers an address without a record as agent of `owner`, for ever, with the owner's viewing key.
    /// Authority: the owner's wallet or spender, and the agent itself.
    /// @dev EIP-712: EnrollAgent(address agent,address owner,uint64 nonce,uint64 deadline), nonce 0, signed by both.
    function enrollAgent(
        address agent,
        address owner,
        uint64 deadline,
        bytes calldata ownerSignature,
        bytes calldata agentSignature
    ) external;

    // ---------------------------------------------------------------- money

    /// @notice Takes `tokenAmount` of the token's smallest units (for the zero address: the coins sent along) from the
    /// sender, who is enrolled, and credits what arrived.
    function deposit(address asset, uint256 tokenAmount) external payable;

    /// @notice Takes a deposit by an EIP-3009 receiveWithAuthorization of `from`, who is enrolled and alone is credited.
    /// Anyone may submit it.
    function depositWithAuthorization(
        address asset,
        address from,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;

    /// @notice Up to 8 notes, part of the credit and the old budget become the new budget and a change note. Unused note
    /// slots hold EMPTY_NOTE, as does `changeNote` when there is no change. Authority: the account's wallet, for an agent
    /// its owner's wallet. Uses up the account's nonce.
    /// @dev EIP-712: Allocate(address account,address asset,uint256 oldBudget,uint256 newBudget,uint256[8] notes,
    /// uint64 credit,uint256 changeNote,bytes32 ciphertextHash,uint64 nonce,uint64 deadline)
    function allocate(AllocateParams calldata params, Proof calldata proof, bytes calldata signature) external;

    /// @notice Pays a hidden amount from the account's budget as a new note of `to`. Authority: the account's wallet or
    /// spender; for an agent also its owner's wallet or spender.
    /// @dev EIP-712: Transfer(address account,address to,address asset,uint256 oldBudget,uint256 newBudget,uint256 note,
    /// bytes32 recipientCiphertextHash,bytes32 payerCiphertextHash,uint64 deadline)
    function transfer(TransferParams calldata params, Proof calldata proof, bytes calldata signature) external;

    /// @notice Pays a public amount (in units) from the account's budget to any address. Authority: as `transfer`.
    /// @dev EIP-712: Release(address account,address to,address asset,uint256 oldBudget,uint256 newBudget,uint64 amount,
    /// bytes32 payerCiphertextHash,uint64 deadline)
    function release(ReleaseParams calldata params, Proof calldata proof, bytes calldata signature) external;

    /// @notice Moves a hidden amount between the budgets of an owner and one of its own agents, either way. Authority:
    /// the owner's wallet or spender.
    /// @dev EIP-712: Fund(address from,address to,address asset,uint256 fromOldBudget,uint256 fromNewBudget,
    /// uint256 toOldBudget,uint256 toNewBudget,bytes32 fromCiphertextHash,bytes32 toCiphertextHash,uint64 deadline)
    function fund(FundParams calldata params, Proof calldata proof, bytes calldata signature) external;

    // ---------------------------------------------------------------- assets

    /// @notice Lists an asset, once: token (zero address: the native coin), its smallest units per unit, and the most
    /// units one deposit may bring (0 closes deposits). Owner only. Limits bound deposits and nothing else.
    function listAsset(address token, uint256 unit, uint256 depositLimit) external;

    /// @notice Sets the most units one deposit may bring. Owner only.
    function setDepositLimit(address token, uint256 limit) external;

    // ---------------------------------------------------------------- views

    /// @notice The record of an address; all zero without one. `owner` is zero but for agents. On chains of the Arbitrum
    /// family `enrolledBlock` is the estimated block of the parent chain, as `block.number` is.
    function account(address who)
        external
        view
        returns (
            bytes32 viewingKey,
            address spender,
            uint64 spenderUntil,
            address owner,
            uint64 nonce,
            uint64 enrolledBlock
        );

    /// @notice The budget word; EMPTY_BUDGET where none was set.
    function budgetOf(address who, address asset) external view returns (uint256);

    /// @notice Whether the note is unknown, open or spent.
    function noteStatus(address who, address asset, uint256 note) external view returns (NoteStatus);

    /// @notice Units deposited and not yet allocated.
    function creditOf(address who, address asset) external view returns (uint64);

    /// @notice Whether an asset is listed, its smallest units per unit, and the most units one deposit may bring.
    function assetOf(address asset) external view returns (bool listed, uint256 unit, uint256 depositLimit);

    /// @notice Salt of the EIP-712 domain: keccak256(abi.encode(blockhash(block.number - 1), address(this))) as deployed.
    function domainSalt() external view returns (bytes32);

    /// @notice EIP-712 domain separator (name "Halcyon Ledger", version "1", chain id, address, salt).
    function domainSeparator() external view returns (bytes32);
}
